import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressTopic, eventTopics } from '../../src/payments/chain/transfer-proof.js';
import { assertPaid, readAnswer, type Answer } from '../payments/answer.js';
import { payloadIn } from '../payments/shop.js';
import { attachTestChain } from '../support/chain.js';
import { startCrashServer, type CrashServer } from '../support/crash-process.js';
import { askPrice, signPayment, type ChallengeBody } from '../support/pay.js';
import { controlPostgres, createPostgresDatabase, requirePostgres } from '../support/postgres.js';

const path = '/api/deals/hot';
/** The database stops after this many sales. */
const salesBefore = 20;
const backWithinMs = 10_000;
const longestMs = 120_000;
/** After the lease of a claim whose process could not know its outcome. */
const pastLeaseSeconds = 61;

/** What becomes of a PostgreSQL, and how it ends. */
interface Loss {
  readonly title: string;
  readonly payments: number;
  /** Before its folder is made. Skips the test where this machine does not allow it. */
  prepare(context: Mocha.Context, directory: string): void;
  begin(directory: string, control: Control): Promise<unknown>;
  end(directory: string, control: Control): Promise<unknown>;
  cleanUp(directory: string): void;
}

type Control = (action: 'start' | 'halt' | 'resume' | 'stop') => Promise<string>;

const stopped: Loss = {
  title: 'stopped and restarted',
  payments: 1_000,
  prepare: () => undefined,
  begin: (_, control) => control('halt'),
  end: (_, control) => control('resume'),
  cleanUp: () => undefined,
};

/** A disk of its own, in memory, with room for little more than an empty cluster. */
const filled: Loss = {
  title: 'with a disk that fills up and is emptied',
  payments: 400,
  prepare(context, directory) {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', directory]).status === 0) return;
    process.stderr.write('    skipped: no file system of a test can be mounted here\n');
    context.skip();
  },
  begin: async (directory) => fillUp(join(directory, 'filler')),
  async end(directory, control) {
    rmSync(join(directory, 'filler'));
    // Where not even its log could be written it has ended.
    await control('resume').catch(() => undefined);
  },
  cleanUp: (directory) => void spawnSync('umount', [directory]),
};

for (const loss of [stopped, filled])
  describe(`PostgreSQL ${loss.title} during ${loss.payments} concurrent payments`, function () {
    this.timeout(300_000);
    const { payments } = loss;
    const directory = mkdtempSync(join(tmpdir(), 'database-stop-'));
    const disk = join(directory, 'disk');
    const cluster = join(disk, 'postgres');
    const control: Control = (action) => controlPostgres(action, [cluster]);
    let server: CrashServer | undefined;
    let challenge: ChallengeBody;

    before(async function () {
      // When PostgreSQL is installed, this test starts its own.
      requirePostgres(this);
      // PostgreSQL does not run as root, and its own user needs access to its directory in here.
      mkdirSync(disk);
      loss.prepare(this, disk);
      for (const each of [directory, disk]) chmodSync(each, 0o755);
      const { url } = await createPostgresDatabase(await control('start'));
      const environment = {
        DATA_DIR: join(directory, 'data'),
        DATABASE_URL: url,
        // One buyer makes all payments.
        PAID_CALLS_PER_PAYER: String(payments),
      };
      server = await startCrashServer({ environment, skewSeconds: 0 });
      await server.worked;
      challenge = await askPrice(server.url + path);
    });
    after(async () => {
      await server?.stop();
      await control('stop');
      loss.cleanUp(disk);
      rmSync(directory, { recursive: true, force: true });
    });

    it('loses no payment and doubles none, and sells again within ten seconds of its return', async () => {
      assert.ok(server);
      const { url, rpcUrl } = server;
      const validBefore = BigInt(Math.floor(Date.now() / 1000) + 340);
      const sign = () => signPayment(structuredClone(challenge), { validBefore });
      const headers = await Promise.all(Array.from({ length: payments }, sign));
      const heard = new Map(headers.map((header) => [header, [] as Answer[]]));
      const isOpen = (header: string): boolean => heard.get(header)?.at(-1)?.status !== 200;
      let [sales, backAtMs, sellsAfterMs] = [0, Infinity, Infinity];
      let onSale = (): void => undefined;
      const sold = new Promise<void>((resolve) => (onSale = () => void (++sales === salesBefore && resolve())));

      async function pay(header: string): Promise<void> {
        const answer = await readAnswer(await fetch(url + path, { headers: { 'PAYMENT-SIGNATURE': header } }));
        assert.ok([200, 409, 503].includes(answer.status), `${answer.status} ${answer.text.slice(0, 300)}`);
        heard.get(header)?.push(answer);
        if (answer.status !== 200) return;
        onSale();
        const sinceBackMs = performance.now() - backAtMs;
        if (sinceBackMs >= 0) sellsAfterMs = Math.min(sellsAfterMs, sinceBackMs);
      }

      // One half is claimed and settling when the database stops; the other half arrives at that moment.
      const firstRound = headers.slice(0, payments / 2).map(pay);
      await sold;
      firstRound.push(...headers.slice(payments / 2).map(pay));
      await loss.begin(disk, control);
      await Promise.all(firstRound);
      const away = headers.filter(isOpen).length;
      assert.ok(away > 0, 'nobody has met its absence');
      const back = loss.end(disk, control).then(() => (backAtMs = performance.now()));
      const startMs = performance.now();
      let isPastLeases = false;
      while (headers.some(isOpen)) {
        await Promise.all(headers.filter(isOpen).map(pay));
        if (backAtMs < Infinity && !isPastLeases) {
          await server.advance(pastLeaseSeconds);
          isPastLeases = true;
        }
        assert.ok(performance.now() - startMs < longestMs, `${headers.filter(isOpen).length} payments stay open`);
      }
      await back;

      process.stdout.write(
        `      ${away} met its absence; sold again ${Math.round(sellsAfterMs)} ms after its return\n`,
      );
      assert.ok(sellsAfterMs < backWithinMs);
      for (const answers of heard.values()) assertSoldOnce(answers);
      await server.advance(pastLeaseSeconds);
      // Each run handles a part of the open payments.
      for (let run = 0; run < 3; run++) await server.reconcile();
      const { payments: rows } = await server.audit();
      const nonces = headers.map((header) => payloadIn(header).payload.authorization.nonce);
      assert.deepEqual(rows.map(({ nonce }) => nonce).sort(), [...nonces].sort(), 'one row for each payment');
      assert.deepEqual(new Set(rows.map(({ state }) => state)), new Set(['settled']));
      const chain = attachTestChain(rpcUrl);
      const topics = [eventTopics.transfer, null, addressTopic(chain.payTo.address)];
      const transfers = await chain.ask<unknown[]>('eth_getLogs', [{ address: chain.token, fromBlock: '0x0', topics }]);
      assert.equal(transfers.length, headers.length);
    });
  });

/** Sold in the end, and never refused. */
function assertSoldOnce(answers: readonly Answer[]): void {
  const sold = answers.filter(({ status }) => status === 200);
  assert.equal(sold.length, 1);
  sold.forEach(assertPaid);
  for (const { status, problem } of answers) if (status !== 200) assert.equal(problem?.retry_same_payment, true);
}

/** Leaves no room on the disk of a file. */
function fillUp(path: string): void {
  const file = openSync(path, 'w');
  for (let size = 2 ** 20; size >= 1;)
    try {
      writeSync(file, Buffer.alloc(size));
    } catch {
      size = Math.floor(size / 16);
    }
  closeSync(file);
}
