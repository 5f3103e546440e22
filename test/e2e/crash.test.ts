import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { addressTopic, eventTopics } from '../../src/chain/transfer-proof.js';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import { assertPaid, assertRefused, readAnswer, type Answer } from '../payments/answer.js';
import { authorizationIn } from '../payments/shop.js';
import { attachTestChain } from '../support/chain.js';
import type { CrashStep } from '../support/crash-messages.js';
import { launchCrashServer, startCrashServer, type CrashServer } from '../support/crash-process.js';
import { askPrice, signPayment, type ChallengeBody } from '../support/pay.js';
import { requirePostgres } from '../support/postgres.js';

const path = '/api/deals/hot';
/** Past every lease of a process that died: two minutes for jobs, one for payments. */
const pastLeasesSeconds = 121;

/** What the chain must show of a payment when the process died at a step, and whether its caller had the reply by then. */
const steps: readonly {
  readonly step: CrashStep;
  readonly name: string;
  readonly sent: boolean;
  readonly replied: boolean;
}[] = [
  { step: 'before claim', name: 'before the claim', sent: false, replied: false },
  { step: 'after claim', name: 'between claim and settlement', sent: false, replied: false },
  { step: 'after settle', name: 'between settlement and finish', sent: true, replied: false },
  { step: 'after finish', name: 'between finish and reply', sent: true, replied: false },
  { step: 'before note', name: 'between the reply and the note that it arrived', sent: true, replied: true },
];
/** Statements of the daily work (about 800 in all) after which the process dies, one death after the other. */
const deaths = [40, 300, 650];

for (const kind of ['embedded', 'postgres'] as const) {
  describe(`kill -9 of a server on ${kind === 'embedded' ? 'the embedded database' : 'PostgreSQL'}`, () => {
    const directories: string[] = [];
    const databases: string[] = [];
    let url = '';
    let directory: string;
    let databaseUrl: string | undefined;
    let server: CrashServer;
    let challenge: ChallengeBody;
    /** How far the running server's clock is ahead: on PostgreSQL nobody but time ends the leases of the dead. */
    let skewSeconds = 0;

    before(async function () {
      if (kind === 'postgres') url = requirePostgres(this);
      [directory, databaseUrl] = [newDirectory(), await newDatabase()];
      server = await start();
      await server.worked;
      await readIds(server);
      challenge = await askPrice(server.url + path);
    });
    after(async () => {
      await server?.stop();
      for (const each of directories) rmSync(each, { recursive: true, force: true });
      await administer(databases.map((name) => `drop database ${name}`));
    });

    function newDirectory(): string {
      const made = mkdtempSync(join(tmpdir(), 'crash-'));
      directories.push(made);
      return made;
    }

    async function newDatabase(): Promise<string | undefined> {
      if (kind === 'embedded') return undefined;
      const name = `crash_${randomBytes(6).toString('hex')}`;
      await administer([`create database ${name}`]);
      databases.push(name);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    }

    async function administer(statements: readonly string[]): Promise<void> {
      if (url === '') return;
      const knex = createPostgresKnex({ url }, pino({ level: 'silent' }));
      for (const statement of statements) await knex.raw(statement);
      await knex.destroy();
    }

    function ordersFor(at: string, store: string | undefined, skew: number) {
      return { directory: at, skewSeconds: skew, ...(store === undefined ? {} : { databaseUrl: store }) };
    }

    function start(): Promise<CrashServer> {
      return startCrashServer(ordersFor(directory, databaseUrl, skewSeconds));
    }

    async function restart(): Promise<void> {
      if (kind === 'postgres') skewSeconds += pastLeasesSeconds;
      server = await start();
    }

    const pay = async (header: string, at = path): Promise<Answer> =>
      readAnswer(await fetch(server.url + at, { headers: { 'PAYMENT-SIGNATURE': header } }));

    function sign(): Promise<string> {
      const validBefore = BigInt(Math.floor(Date.now() / 1000) + skewSeconds + 240);
      return signPayment(structuredClone(challenge), { validBefore });
    }

    async function countLogs(topics: readonly (string | null)[]): Promise<bigint[]> {
      const chain = attachTestChain(server.rpcUrl);
      const filter = { address: chain.token, fromBlock: '0x0', toBlock: 'latest', topics };
      const logs = await chain.ask<{ data: string }[]>('eth_getLogs', [filter]);
      return logs.map(({ data }) => (data === '0x' ? 0n : BigInt(data)));
    }

    async function countSettlements(header: string): Promise<number> {
      const { from, nonce } = authorizationIn(header);
      return (await countLogs([eventTopics.used, addressTopic(from), nonce])).length;
    }

    const readNode = (): string => readFileSync(join(directory, 'chain', 'process.json'), 'utf8');

    for (const { step, name, sent, replied } of steps) {
      it(`${name}: nothing is lost, nothing is sold twice, and the same payment has its data`, async () => {
        const header = await sign();
        const node = readNode();
        await server.arm(step);
        const reply = await pay(header).catch(() => undefined);
        assert.equal(reply !== undefined, replied, reply?.text);
        await server.died();
        assert.equal(await countSettlements(header), sent ? 1 : 0);

        await restart();
        assert.equal(readNode(), node, 'the chain outlives the server and is found again');
        // Whoever has claimed something has claimed it for this request alone.
        if (step !== 'before claim') assertRefused(await pay(header, `${path}?limit=1`), 402, 'payment_already_used');
        const answer = await pay(header);
        assertPaid(answer);
        if (reply !== undefined) assert.equal(answer.text, reply.text);
        assert.equal(await countSettlements(header), 1);
        const again = await pay(header);
        assert.ok(['payment_already_used', 'payment_in_progress'].includes(again.problem?.reason ?? ''), again.text);
        assert.equal(await countSettlements(header), 1);
      });
    }

    it('at all of those steps: what the ledger calls settled is what payTo has received', async () => {
      const [accepted] = challenge.accepts;
      assert.ok(accepted);
      const received = await countLogs([eventTopics.transfer, null, addressTopic(accepted.payTo as `0x${string}`)]);
      const { settled } = await server.audit();
      assert.equal(received.length, steps.length);
      assert.equal(
        BigInt(settled),
        received.reduce((sum, value) => sum + value, 0n),
      );
    });

    it('again and again while deals are read, scored and published: the next start completes the feed', async () => {
      const expected = { ids: await readIds(server), listings: (await server.audit()).listings };
      const [fresh, store] = [newDirectory(), await newDatabase()];
      let skew = skewSeconds;
      for (const dieAfterStatements of deaths) {
        const dying = launchCrashServer({ ...ordersFor(fresh, store, skew), dieAfterStatements });
        await dying.died();
        if (kind === 'postgres') skew += pastLeasesSeconds;
      }
      const survivor = await startCrashServer(ordersFor(fresh, store, skew));
      try {
        await survivor.worked;
        assert.deepEqual({ ids: await readIds(survivor), listings: (await survivor.audit()).listings }, expected);
      } finally {
        await survivor.stop();
      }
    }).timeout(120_000);
  });
}

/** The ids of all deals that are sold. */
async function readIds({ url }: CrashServer): Promise<string[]> {
  const body = (await (await fetch(`${url}/api/deals/ids`)).json()) as { ids: { id: string }[] };
  assert.ok(body.ids.length > 100, 'the feed is filled');
  return body.ids.map(({ id }) => id).sort();
}
