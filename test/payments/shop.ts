import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { pino } from 'pino';
import type { Database } from '../../src/db/database.js';
import type { Authorization, Hex } from '../../src/payments/chain/eip3009.js';
import { eventTopics, addressTopic } from '../../src/payments/chain/transfer-proof.js';
import type { Ledger, PaymentRow } from '../../src/payments/ledger/ledger.js';
import { authorizationOf, type PaymentPayload } from '../../src/payments/gate/read-payment.js';
import type { Pause } from '../../src/payments/settlement/pause.js';
import type { Evidence } from '../../src/payments/settlement/resolve-open-payment.js';
import type { Settler } from '../../src/payments/settlement/settler.js';
import type { ReplyTimer } from '../../src/operations/answer-in-time.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { attachTestChain, type TestChain } from '../support/chain.js';
import { askPrice, signPayment, type ChallengeBody, type PaymentChanges } from '../support/pay.js';
import { readAnswer, type Answer } from './answer.js';

/** What a test puts in front of the real parts for a while; `undefined` members leave the real ones. */
export interface Faults {
  settler: Partial<Settler>;
  ledger: Partial<Ledger>;
  evidence: Partial<Evidence>;
}

/** The real service with its real chain, seen by a buyer who can also break things behind the counter. */
export interface Shop {
  readonly app: TestApp;
  readonly chain: TestChain;
  readonly real: { readonly settler: Settler; readonly ledger: Ledger; readonly evidence: Evidence };
  readonly faults: Faults;
  /** How often a paid page was made so far. */
  handlerRuns(): number;
  sign(path: string, changes?: PaymentChanges): Promise<string>;
  pay(path: string, header: string | undefined, init?: RequestInit): Promise<Answer>;
  /** Moves the service's clocks, not those of chain and database. Seconds. */
  advance(seconds: number): void;
  /** As when their leases have run out: anybody may take the payments over, or deliver them again. */
  passLeases(): Promise<void>;
  /** Sets the service's wall clock, as an operator may. Seconds from now. */
  setClock(seconds: number): void;
  /** The signed authorization in a PAYMENT-SIGNATURE header, as whoever reads it may send it to the chain. */
  authorizationOf(header: string): Authorization;
  /** The ledger's row of a payment. */
  rowOf(header: string): Promise<PaymentRow | undefined>;
  /** How often the payment's nonce was used on the chain. */
  settlementsOf(header: string): Promise<number>;
  /**
   * Resolves when the service has its answer to the next request that is answered, also to one whose caller is gone.
   */
  nextAnswered(): Promise<void>;
  /** Whoever has bought is taken for a payer of hours ago, whose payments may share a transaction. */
  knowPayers(): Promise<void>;
  /** Publishes the same deals under the next version; the service itself knows of it only when told to look. */
  moveFeed(): Promise<void>;
  /** Ends all faults and sets the clock right. */
  mend(): void;
  /** Counts a transfer to payTo that bought nothing, in atomic units. */
  expectUnsold(value: bigint): void;
  /** Once open payments are reconciled, the ledger's settled sum is what payTo has received, to the atomic unit. */
  assertConserved(): Promise<void>;
  /** Asserts that, and stops. */
  close(): Promise<void>;
}

export interface ShopOptions {
  readonly database?: Database;
  /** The data directory of another shop, whose chain is then shared. */
  readonly dataDirectory?: string;
  /** The address that payments name; several instances share one. Default: the address listened on. */
  readonly publicBaseUrl?: string;
  /** Environment variables beside those the test needs. */
  readonly environment?: Readonly<Record<string, string>>;
  /** See `AppOverrides`. */
  readonly localBlockMs?: number;
  /** Looks at its surroundings once, at its start. */
  readonly looksOnce?: boolean;
  /** See `DispatchPorts`. */
  readonly replyTimer?: ReplyTimer;
}

/** Opens a shop with the demonstration's data. */
export async function openShop({
  database,
  dataDirectory,
  publicBaseUrl,
  environment,
  localBlockMs,
  looksOnce = false,
  ...rest
}: ShopOptions = {}): Promise<Shop> {
  const faults: Faults = { settler: {}, ledger: {}, evidence: {} };
  const real: { settler?: Settler; ledger?: Ledger; evidence?: Evidence } = {};
  const answered = new EventEmitter();
  let skewMs = 0;
  let passedMs = 0;
  let unsold = 0n;
  const app = await startTestApp({
    withData: dataDirectory === undefined,
    now: () => new Date(Date.now() + skewMs),
    limitsElapsedMs: () => performance.now() + passedMs,
    log: pino({ level: 'info' }, { write: (line: string) => void (isAnswer(line) && answered.emit('answer')) }),
    settler: (settler) => front((real.settler = settler), () => faults.settler),
    ledger: (ledger) => front((real.ledger = ledger), () => faults.ledger),
    evidence: (evidence) => front((real.evidence = evidence), () => faults.evidence),
    environment: {
      ...environment,
      ...(dataDirectory === undefined ? {} : { DATA_DIR: dataDirectory }),
      ...(publicBaseUrl === undefined ? {} : { PUBLIC_BASE_URL: publicBaseUrl }),
    },
    // Several shops share it: as far as the service knows, an embedded one lets nobody else in, and needs no heartbeat.
    ...(database ? { database: { ...database, kind: 'postgres' } } : {}),
    ...(localBlockMs === undefined ? {} : { localBlockMs }),
    ...(looksOnce ? { pause: untilClosed } : {}),
    ...rest,
  });
  const { settler, ledger, evidence } = real;
  const { localRpcUrl, terms } = app.selling;
  assert.ok(settler && ledger && evidence && localRpcUrl, 'these tests need the local chain');
  const chain = attachTestChain(localRpcUrl);
  const challenges = new Map<string, ChallengeBody>();
  const runs = countPages(app);

  async function rowOf(header: string): Promise<PaymentRow | undefined> {
    const { from, nonce } = authorizationIn(header);
    const key = { network: terms.network.id, asset: lower(terms.network.asset) };
    return real.ledger?.find({ ...key, payer: lower(from), nonce: lower(nonce) });
  }

  function mend(): void {
    Object.assign(faults, { settler: {}, ledger: {}, evidence: {} });
    skewMs = 0;
  }

  async function assertConserved(): Promise<void> {
    mend();
    await app.selling.reconcile();
    const transfers = await readLogs(chain, [eventTopics.transfer, null, addressTopic(terms.payTo)]);
    const received = transfers.reduce((sum, { data }) => sum + BigInt(data), 0n);
    const [row] = await app.database
      .knex('payments')
      .where({ state: 'settled' })
      .sum<{ settled: string | null }[]>({ settled: 'amount' });
    assert.equal(BigInt(row?.settled ?? 0), received - unsold, await describeOpen(app.database));
  }

  return {
    app,
    chain,
    real: { settler, ledger, evidence },
    faults,
    handlerRuns: runs,
    async sign(path, changes) {
      const challenge = challenges.get(path) ?? (await askPrice(app.url + path));
      challenges.set(path, challenge);
      return signPayment(structuredClone(challenge), changes);
    },
    async pay(path, header, init = {}) {
      const headers = new Headers(init.headers);
      if (header !== undefined) headers.set('PAYMENT-SIGNATURE', header);
      return readAnswer(await fetch(app.url + path, { ...init, headers }));
    },
    advance(seconds) {
      skewMs += seconds * 1000;
      // No time passes backward: then only the wall clock is set.
      passedMs += Math.max(seconds, 0) * 1000;
    },
    passLeases: async () => void (await app.database.knex.raw('update payments set lease_until = now()')),
    setClock: (seconds) => (skewMs = seconds * 1000),
    authorizationOf: (header) => authorizationOf(payloadIn(header)),
    rowOf,
    settlementsOf: async (header) => {
      const { from, nonce } = authorizationIn(header);
      return (await readLogs(chain, [eventTopics.used, addressTopic(from), nonce])).length;
    },
    nextAnswered: async () => void (await once(answered, 'answer')),
    async knowPayers() {
      const earlier = new Date(Date.now() - 2 * 3_600_000);
      await app.database
        .knex('payments')
        .update({ claimed_at: earlier, settled_at: earlier })
        .where({ state: 'settled' });
    },
    moveFeed: async () => void (await app.database.knex('feed_versions').increment('version')),
    mend,
    expectUnsold: (value) => (unsold += value),
    assertConserved,
    async close() {
      await assertConserved().finally(() => app.stop());
    },
  };
}

/** The signed authorization in a PAYMENT-SIGNATURE header. */
export function authorizationIn(header: string): PaymentPayload['payload']['authorization'] {
  return payloadIn(header).payload.authorization;
}

/** What a PAYMENT-SIGNATURE header holds. */
export function payloadIn(header: string): PaymentPayload {
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as PaymentPayload;
}

/** The line that the service writes for each request. */
function isAnswer(line: string): boolean {
  return (JSON.parse(line) as { msg?: string }).msg === 'request';
}

function front<Part extends object>(real: Part, faults: () => Partial<Part>): Part {
  return new Proxy(real, {
    get: (target, name): unknown => Reflect.get(faults(), name) ?? Reflect.get(target, name),
  });
}

async function describeOpen({ knex }: Database): Promise<string> {
  const rows = await knex('payments').whereNot({ state: 'settled' }).select('state', 'release_reason', 'delivery');
  return `What the ledger calls settled is what payTo has received. Not settled: ${JSON.stringify(rows)}`;
}

/** Counts the pages that are made for the paid lists. */
function countPages({ feeds: { deals: feed } }: TestApp): () => number {
  let runs = 0;
  const { page } = feed;
  feed.page = (view, request) => (runs++, page(view, request));
  return () => runs;
}

async function readLogs(chain: TestChain, topics: readonly (Hex | null)[]): Promise<{ readonly data: Hex }[]> {
  return chain.ask('eth_getLogs', [{ address: chain.token, fromBlock: '0x0', toBlock: 'latest', topics }]);
}

function lower(hex: Hex): Hex {
  return `0x${hex.slice(2).toLowerCase()}`;
}

/** Ends with the service, and not before. */
const untilClosed: Pause = async (_, signal) => {
  if (!signal.aborted) await once(signal, 'abort');
};
