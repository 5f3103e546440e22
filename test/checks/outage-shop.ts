import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.js';
import { checks } from '../../src/operator/checks/checks.js';
import { lowerHex } from '../../src/payments/chain/eip3009.js';
import { assertPaid, readAnswer, type Answer } from '../payments/answer.js';
import { startFlakyNode, type Fate, type FlakyNode } from '../payments/settlement/flaky-node.js';
import { withId } from '../payments/with-id.js';
import type { TestApp } from '../support/app.js';
import type { TestChain } from '../support/chain.js';
import { createFakeClock } from '../support/fake-clock.js';
import { askPrice, signPayment } from '../support/pay.js';
import { startSepoliaApp, type SepoliaApp } from '../support/sepolia-app.js';

export const path = '/api/deals?limit=1';
const stepMs = 5_000;

/** A service by a fake clock, behind lines that fail as they are told. */
export interface Shop {
  readonly app: TestApp;
  readonly chain: TestChain;
  readonly relayer: string;
  decide(each: (method: string) => Fate): void;
  /** Five seconds pass; the heartbeat is not waited for while nothing answers it. */
  step(beats?: boolean): Promise<void>;
  get(at: string, header?: string): Promise<Answer>;
  /** Signs another payment of the same buyer. */
  sign(id: string): Promise<string>;
  /** What the buyer has left, in atomic units. */
  readBalance(): Promise<bigint>;
  /** A payment that was sold. */
  readonly sold: string;
  stop(): Promise<void>;
}

export async function openShop(
  environment: Readonly<Record<string, string>> = {},
  {
    decide = (): Fate => 'answered',
    database,
    isSold = true,
  }: {
    readonly decide?: (method: string) => Fate;
    readonly database?: Database;
    readonly isSold?: boolean;
  } = {},
): Promise<Shop> {
  const clock = createFakeClock();
  let fate = decide;
  let node: FlakyNode | undefined;
  const sepolia: SepoliaApp = await startSepoliaApp('https://deals.example', {
    environment,
    elapsedMs: clock.elapsedMs,
    pause: clock.pause,
    ...(database && { database }),
    async nodeBefore(rpcUrl) {
      node = await startFlakyNode(rpcUrl, (method) => fate(method));
      return node.rpcUrl;
    },
  });
  const { app, chain, payerKey } = sepolia;
  const get = async (at: string, header?: string): Promise<Answer> =>
    readAnswer(await fetch(app.url + at, header === undefined ? {} : { headers: { 'PAYMENT-SIGNATURE': header } }));
  const signer = { address: sepolia.payer.address, privateKey: payerKey };
  const sign = async (id: string): Promise<string> =>
    withId(await signPayment(await askPrice(app.url + path), { signer }), id);
  const sold = isSold ? await sign('an-identifier-of-its-buyer') : '';
  if (isSold) assertPaid(await get(path, sold));
  return {
    ...{ app, chain, get, sold, sign },
    readBalance: async () => (await sepolia.balances()).payer,
    relayer: lowerHex(app.selling.relayer() ?? '0x'),
    decide: (next) => void (fate = next),
    async step(beats = true) {
      await clock.pass(stepMs);
      await app.watch.look();
      const beaten = app.selling.heartbeat.beat();
      if (beats) await beaten;
    },
    async stop() {
      await sepolia.stop();
      await node?.stop();
    },
  };
}

export interface Outage {
  readonly what: string;
  /** The check that finds it. */
  readonly id: string;
  begin(shop: Shop): unknown;
  end(shop: Shop): unknown;
  /** Nothing answers what is asked of the database. */
  readonly isHung?: boolean;
  readonly withinMs?: number;
}

/** Not ready and asking nobody in time, redelivering where the ledger can be read, and ready again in time. */
export async function assertSurvives(
  shop: Shop,
  { id, begin, end, isHung = false, withinMs = 15_000 }: Outage,
  redelivers = true,
) {
  await assertReady(shop);
  await begin(shop);
  let passedMs = 0;
  let ready = await shop.get('/readyz');
  for (; passedMs < withinMs && ready.status === 200; passedMs += stepMs) {
    await shop.step(!isHung);
    ready = await shop.get('/readyz');
  }
  await assertNotReady(shop, id, ready);
  if (redelivers) assert.equal((await shop.get(path, shop.sold)).status, 200, 'what was paid is sent again');
  await end(shop);
  await shop.step();
  await assertReady(shop);
}

export async function assertReady({ get }: Shop): Promise<void> {
  const { status, text } = await get('/readyz');
  assert.deepEqual([status, text], [200, '{"status":"ready"}']);
  assert.equal((await get(path)).status, 402);
}

export async function assertNotReady({ get }: Shop, id: string, ready: Answer): Promise<void> {
  assert.deepEqual([ready.status, ready.headers.get('Retry-After')], [503, '5']);
  const detail = ready.problem?.detail ?? '';
  const cure = checks.find((each) => each.id === id)?.cure ?? assert.fail();
  assert.ok(detail.includes(`${id}: `) && detail.includes(cure), detail);
  assert.doesNotMatch(detail, /0x|:\/\/|127\.0\.0\.1|localhost/);
  const unpaid = await get(path);
  assert.deepEqual([unpaid.status, unpaid.headers.get('Retry-After')], [503, '5']);
  assert.equal((await get('/healthz')).status, 200);
}
