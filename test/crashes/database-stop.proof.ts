import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addressTopic, eventTopics } from '../../src/payments/chain/transfer-proof.js';
import { assertPaid, readAnswer, type Answer } from '../payments/answer.js';
import { payloadIn } from '../payments/shop.js';
import { attachTestChain } from '../support/chain.js';
import { startCrashServer, type CrashServer } from '../support/crash-process.js';
import { askPrice, signPayment, type ChallengeBody } from '../support/pay.js';
import { createPostgresDatabase, requirePostgres } from '../support/postgres.js';
import { findProjectFile } from '../../src/project-file.js';

const path = '/api/deals/hot';
const payments = 1_000;
/** The database stops after this many sales. */
const salesBefore = 20;
const backWithinMs = 10_000;
const longestMs = 120_000;
/** After the lease of a claim whose process could not know its outcome. */
const pastLeaseSeconds = 61;

describe(`PostgreSQL stopped and restarted during ${payments} concurrent payments`, function () {
  this.timeout(300_000);
  const directory = mkdtempSync(join(tmpdir(), 'database-stop-'));
  const cluster = join(directory, 'postgres');
  let server: CrashServer | undefined;
  let challenge: ChallengeBody;

  before(async function () {
    // When PostgreSQL is installed, this test starts its own.
    requirePostgres(this);
    // PostgreSQL does not run as root, and its own user needs access to its directory in here.
    chmodSync(directory, 0o755);
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
    await control('halt');
    await Promise.all(firstRound);
    const away = headers.filter(isOpen).length;
    assert.ok(away > 0, 'nobody has met its absence');
    const back = control('resume').then(() => (backAtMs = performance.now()));
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

    process.stdout.write(`      ${away} met its absence; sold again ${Math.round(sellsAfterMs)} ms after its return\n`);
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

  async function control(action: 'start' | 'halt' | 'resume' | 'stop'): Promise<string> {
    const script = findProjectFile('.ci/postgres.sh');
    const { stdout } = await promisify(execFile)('sh', [script, action, cluster]);
    return stdout.trim();
  }
});

/** Sold in the end, and never refused. */
function assertSoldOnce(answers: readonly Answer[]): void {
  const sold = answers.filter(({ status }) => status === 200);
  assert.equal(sold.length, 1);
  sold.forEach(assertPaid);
  for (const { status, problem } of answers) if (status !== 200) assert.equal(problem?.retry_same_payment, true);
}
