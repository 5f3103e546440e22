import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { createJobs } from '../../jobs/create-jobs.js';
import type { Database } from '../../src/db/database.js';
import type { TestAccount } from '../../src/payments/chain/well-known-accounts.js';
import { readAnswer, type Answer } from '../payments/answer.js';
import { payloadIn } from '../payments/shop.js';
import { withId } from '../payments/with-id.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createAccount, startTestChain, type TestChain } from '../support/chain.js';
import { openTestInstances, type TestInstances } from '../support/database.js';
import { dropListings } from '../support/drop-listings.js';
import { askPrice, signPayment, type ChallengeBody } from '../support/pay.js';

const path = '/api/deals?limit=1';

describe('instances that share a list of relayer keys', () => {
  let chain: TestChain;
  let instances: TestInstances;
  let shared: Readonly<Record<string, string>>;
  let elapsedMs = 0;
  const apps: TestApp[] = [];
  const [first, second, payTo, payer] = [createAccount(), createAccount(), createAccount(), createAccount()];

  before(async () => {
    [chain, instances] = await Promise.all([startTestChain(84532), openTestInstances(2)]);
    for (const { address } of [first, second]) await chain.ask('anvil_setBalance', [address, '0xde0b6b3a7640000']);
    await chain.fund(payer.address);
    shared = {
      ...{ NETWORK: 'eip155:84532', PAY_TO: payTo.address, RPC_URL: chain.rpcUrl },
      ...{ PUBLIC_BASE_URL: 'https://deals.example', DATABASE_URL: 'postgres://unused' },
      SERVER_SECRET: randomBytes(32).toString('hex'),
    };
  });
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.stop();
  });
  after(async () => {
    await chain.stop();
    await instances.close();
  });

  /** An instance, on a database that others may have open too. */
  async function start(name: string, keys: readonly TestAccount[]): Promise<TestApp> {
    const database = instances.databases[name === 'one' ? 0 : 1] ?? assert.fail();
    const app = await startTestApp({
      withData: false,
      database: { ...database, kind: 'postgres' } satisfies Database,
      elapsedMs: () => elapsedMs,
      log: pino({ level: 'silent' }),
      environment: {
        ...shared,
        INSTANCE_NAME: name,
        RELAYER_PRIVATE_KEYS: keys.map(({ privateKey }) => privateKey).join(', '),
      },
    });
    apps.push(app);
    dropListings(app.config.dropDirectory);
    await app.pipeline.ingest();
    await app.pipeline.publish('day');
    return app;
  }

  async function stop(app: TestApp): Promise<void> {
    apps.splice(apps.indexOf(app), 1);
    await app.stop();
  }

  const ask = async ({ url }: TestApp, at: string, header?: string): Promise<Answer> =>
    readAnswer(await fetch(url + at, header === undefined ? {} : { headers: { 'PAYMENT-SIGNATURE': header } }));
  const sign = (challenge: ChallengeBody) => signPayment(structuredClone(challenge), { signer: payer });

  async function senderOf({ settlement }: Answer): Promise<string> {
    const hash = settlement?.transaction ?? assert.fail('it was not sold');
    return (await chain.client.getTransaction({ hash: hash as `0x${string}` })).from;
  }

  async function assertSellsNothing(app: TestApp, challenge: ChallengeBody, why: RegExp): Promise<void> {
    const [unpaid, paid, ready] = [
      await ask(app, path),
      await ask(app, path, await sign(challenge)),
      await ask(app, '/readyz'),
    ];
    for (const { status, problem, headers } of [unpaid, paid]) {
      assert.deepEqual([status, problem?.reason], [503, 'chain_unavailable']);
      assert.match(problem?.detail ?? '', why);
      assert.equal(headers.get('Retry-After'), '5');
    }
    assert.equal(ready.status, 503);
    assert.match(ready.problem?.detail ?? '', why);
    assert.equal((await ask(app, '/api/meta')).status, 200, 'what is free goes on');
  }

  it('sell each with a key of its own', async () => {
    const [one, two] = [await start('one', [first, second]), await start('two', [first, second])];
    const challenge = await askPrice(one.url + path);
    const sold = [await ask(one, path, await sign(challenge)), await ask(two, path, await sign(challenge))];
    const senders = await Promise.all(sold.map(senderOf));
    assert.deepEqual(
      senders,
      [first, second].map(({ address }) => address.toLowerCase()),
    );
  });

  it('sell with one key through one of them; the other redelivers, and sells when the key is handed back', async () => {
    const [one, two] = [await start('one', [first]), await start('two', [first])];
    const challenge = await askPrice(one.url + path);
    const identified = withId(await sign(challenge), 'an-identifier-of-its-buyer');
    assert.equal((await ask(one, path, identified)).status, 200);
    await assertSellsNothing(
      two,
      challenge,
      /^(Not ready: |.*same request again later\. )(relayer\.lease: )?No relayer key is free/,
    );
    for (const each of [path, '/readyz'])
      assert.doesNotMatch((await ask(two, each)).problem?.detail ?? '', /0x[0-9a-f]{40}|held by|\bone\b/);
    assert.equal((await ask(two, path, identified)).status, 200, 'sent again');
    await stop(one);
    await two.selling.heartbeat.beat();
    const sold = await ask(two, path, await sign(challenge));
    assert.equal(await senderOf(sold), first.address.toLowerCase());
  });

  it('sell nothing over a ledger that lacks what their relayer has sent, for a minute', async () => {
    const before = await start('one', [first]);
    const challenge = await askPrice(before.url + path);
    const identified = withId(await sign(challenge), 'another-identifier-of-its-buyer');
    assert.equal((await ask(before, path, identified)).status, 200);
    const lost = await sign(challenge);
    assert.equal((await ask(before, path, lost)).status, 200);
    await stop(before);
    await before.database.knex('relayer_leases').update({ next_nonce: 0 });
    const nonce = Buffer.from(payloadIn(lost).payload.authorization.nonce.slice(2), 'hex');
    await before.database.knex('payments').where({ nonce }).delete();
    const one = await start('one', [first]);
    await assertSellsNothing(one, challenge, /The ledger may be an older copy/);
    const { problem } = await ask(one, path, lost);
    assert.deepEqual([problem?.payment, problem?.retry_same_payment], ['unknown', true], 'it is charged');
    assert.equal((await ask(one, path, identified)).status, 200, 'sent again');
    elapsedMs += 60_000;
    await one.selling.heartbeat.beat();
    assert.equal((await ask(one, path, await sign(challenge))).status, 200);
    const job = createJobs(one).find(({ name }) => name === 'rebuild') ?? assert.fail();
    const context = { slot: new Date(), now: one.now, signal: new AbortController().signal, onProgress: () => {} };
    assert.equal(await job.isNeeded?.(), true);
    await chain.mineBlocks(3);
    const { written, differenceUsd } = await job.run(context);
    assert.deepEqual([written, differenceUsd], [1, '0.00']);
    await chain.ask('evm_increaseTime', [60]);
    await chain.mineBlocks(3);
    await job.run(context);
    assert.equal(await job.isNeeded?.(), false, 'all of it is final');
  });
});
