import { createChainClient } from '../../../src/payments/chain/clients.js';
import {
  createAuthorizationVerifier,
  lowerHex,
  type Authorization,
  type Hex,
} from '../../../src/payments/chain/eip3009.js';
import { createSelfSettler } from '../../../src/payments/settlement/relayer/self-settler.js';
import type { SelfSettler } from '../../../src/payments/settlement/relayer/self-settler.js';
import { createRelayerTally, type RelayerTally } from '../../../src/payments/settlement/relayer/relayer-tally.js';
import { createSettlementProblems } from '../../../src/payments/settlement/settlement-problems.js';
import type { SettlementSettings } from '../../../src/payments/settlement/settlement-settings.js';
import type { Attempt, SettleOutcome } from '../../../src/payments/settlement/settler.js';
import { createRelayerStore, type RelayerStore } from '../../../src/payments/settlement/relayer/relayer-store.js';
import { startTestChain, type TestChain } from '../../support/chain.js';
import { openTestDatabase } from '../../support/database.js';
import { holdKey } from './hold-key.js';
import { createMemoryRelayerStore } from './memory-relayer-store.js';
import { startFlakyNode } from './flaky-node.js';
import type { FlakyNode } from './flaky-node.js';

export type SettlerOptions = Partial<Omit<Parameters<typeof createSelfSettler>[0], 'settings'>> & {
  readonly rpcUrl?: string;
  readonly settings?: Partial<SettlementSettings>;
};

/** One payment per transaction, and otherwise as a server settles that is told nothing else. */
export const oneByOne: SettlementSettings = {
  windowMs: 0,
  maxItems: 20,
  confirmations: 1,
  bumpAfterMs: 10_000,
  maxFeeWei: 10n ** 11n,
  lowSettlements: 10,
  failedGasPerHour: 1_000_000n,
};

/** A settler whose payments need no claim, since its store keeps what it is given. */
export interface RigSettler extends SelfSettler {
  settle(authorization: Authorization, attempt?: Attempt): Promise<SettleOutcome>;
  /** Why it cannot settle now. */
  why(): string | undefined;
  /** The same, as its operator hears it. */
  told(): string | undefined;
  readonly tally: RelayerTally;
}

/** Of a known payer without code. */
const firstAttempt: Attempt = {
  operationId: 'listDeals',
  resource: '/api/deals',
  leaseOwner: 'owner',
  isTakenOver: false,
  mayShare: true,
  gas: undefined,
};

/** Settlers on a test chain, closed together. */
export interface SettlerRig {
  /** Settles `oneByOne`, unless told otherwise. */
  createSettler(options?: SettlerOptions): RigSettler;
  /** A settler behind a line that `decide` makes bad. */
  createFlakySettler(
    decide: Parameters<typeof startFlakyNode>[1],
    options?: SettlerOptions,
  ): Promise<{ readonly flaky: RigSettler; readonly node: FlakyNode }>;
  close(): Promise<void>;
}

export async function createSettlerRig(chain: TestChain): Promise<SettlerRig> {
  const verifier = await createAuthorizationVerifier(chain.domain);
  const open: { close(): Promise<void> }[] = [];

  function createSettler({ rpcUrl = chain.rpcUrl, settings, ...options }: SettlerOptions = {}): RigSettler {
    const nowMs = options.nowMs ?? (() => performance.now());
    const problems = createSettlementProblems(nowMs);
    const tally = createRelayerTally();
    const settler = createSelfSettler({
      client: createChainClient({ rpcUrl, timeoutMs: 5_000 }),
      relayerKey: chain.relayer.privateKey,
      network: chain.network,
      payTo: chain.payTo.address,
      verifier,
      now: () => new Date(),
      nowMs,
      problems,
      tally,
      log: { warn: () => undefined },
      store: createMemoryRelayerStore(),
      ...options,
      settings: { ...oneByOne, ...settings },
    });
    open.push(settler);
    return {
      ...settler,
      settle: (authorization, attempt = firstAttempt) => settler.settle(authorization, attempt),
      why: () => problems.current()?.why,
      told: () => problems.list()[0]?.describe(),
      tally,
    };
  }

  return {
    createSettler,
    async createFlakySettler(decide, options = {}) {
      const node = await startFlakyNode(chain.rpcUrl, decide);
      const flaky = createSettler({ ...options, rpcUrl: node.rpcUrl });
      open.push({ close: () => node.stop() });
      return { flaky, node };
    },
    async close() {
      for (const { close } of open.splice(0)) await close();
    },
  };
}

/** A settler of which a node has so many transactions after a while. */
export async function createHeardSettler(rig: SettlerRig, count: number, options: SettlerOptions) {
  let heard = 0;
  let markSent: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => (markSent = resolve));
  const { flaky } = await rig.createFlakySettler((method) => {
    if (/^eth_sendRawTransaction(Sync)?$/.test(method) && ++heard === count) markSent();
    return 'answered';
  }, options);
  return { sent, flaky };
}

/** A chain, settlers on it, and a store in a database that holds these keys and asks for no claim. */
export async function openKeptRig(keysOf: (chain: TestChain) => readonly Hex[]) {
  const [chain, database] = await Promise.all([startTestChain(), openTestDatabase()]);
  const rig = await createSettlerRig(chain);
  const kept = createRelayerStore(database.knex, chain.network, 'owner');
  for (const relayer of keysOf(chain))
    await holdKey(database.knex, { chain: chain.network.id, relayer: lowerHex(relayer), owner: 'owner' });
  const store: RelayerStore = { ...kept, keep: (relayer, transaction) => kept.keep(relayer, transaction, []) };
  return { chain, database, rig, store };
}
