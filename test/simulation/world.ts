import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { BadAnswer } from './bad-answers.js';
import type { Instance } from './instance.js';
import type { Faults, restoreKinds } from './faults.js';
import type { ModelFacilitator } from './model-facilitator.js';
import type { AuditTables } from './model-audit.js';
import type { KeyLease, LastBeat } from './model-heartbeat-store.js';
import type { Losses } from './losses.js';
import type { KeptRow } from './model-relayer-store.js';
import type { LedgerTables } from './model-ledger.js';
import type { ModelChain } from './model-chain.js';
import type { Purchase } from './purchase.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';
import type { Variant } from './variant.js';
import type { InvariantChecker } from './invariant-checker.js';

/** The parts of one simulated history. */
export interface World {
  readonly scheduler: Scheduler;
  /** The clock of the database. */
  readonly databaseNow: () => Date;
  readonly chain: ModelChain;
  readonly tables: LedgerTables;
  readonly audits: AuditTables;
  /** Which copy of the database takes its place, once. */
  readonly restores: (typeof restoreKinds)[number] | undefined;
  losses: Losses;
  /** The settling party: every instance by itself, or the facilitator for all of them. */
  readonly settlesBy: 'itself' | 'facilitator';
  readonly facilitator: ModelFacilitator;
  /** No payment is signed for longer, in seconds. */
  readonly longestWindow: number;
  /** The required depth of transfers, in blocks. */
  readonly confirmations: number;
  /** Whether nodes answer with receipts (EIP-7966). */
  readonly hasSync: boolean;
  /** One answer of a node in so many is a bad one; undefined: none is. */
  readonly badEvery: number | undefined;
  /** The most blocks that nodes search for logs in a call. */
  readonly blocksPerCall: number;
  /** Whether an answer takes forty seconds at most, while its payment goes on. Elsewhere buyers wait for its end. */
  readonly boundsAnswers: boolean;
  /** Payers that have paid before this history. */
  readonly knownPayers: Set<Hex>;
  /** The leases of relayers' keys. */
  readonly leases: Map<Hex, KeyLease>;
  /** The last beats, by the owner of the process. */
  readonly beats: Map<string, LastBeat>;
  /** The last of their beats that processes know to be written, by owner. */
  readonly heardBeats: Map<string, number>;
  /** How long each way of a call takes; drawn where it is not given. */
  readonly lineMs?: number;
  /** How the node answers a call badly, in place of what is drawn. */
  readonly answersBadly?: (method: string) => BadAnswer | undefined;
  /** What relayers have signed. */
  readonly kept: KeptRow[];
  readonly faults: Faults;
  readonly checker: InvariantChecker;
  readonly variant: Variant;
  /** One random stream per subject. */
  readonly random: (subject: string) => Random;
  /** All purchases so far, by nonce. */
  readonly purchases: Map<Hex, Purchase>;
  /** The running instances. */
  readonly instances: Instance[];
  /** All instances that ever ran, including dead ones. */
  readonly started: Instance[];
  /** One instance at a time has the database to itself, like the embedded one. */
  readonly isEmbedded: boolean;
  /** A line of the readable story, built only for a reader. */
  readonly trace: (line: () => string) => void;
  /** Lets the outside world act at the moment of a port call for a payment. */
  readonly meddle: (nonce: Hex | undefined) => void;
  /** Kills an instance where it is; another replaces it after a while. */
  readonly crash: (instance: Instance) => void;
}

/** The start time of every history. */
export const startMs = Date.parse('2026-03-08T12:00:00.000Z');
