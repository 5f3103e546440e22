import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { Instance } from './instance.js';
import type { Faults } from './faults.js';
import type { ModelFacilitator } from './model-facilitator.js';
import type { LedgerTables } from './model-ledger.js';
import type { ModelChain } from './model-chain.js';
import type { Purchase } from './purchase.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';
import type { Variant } from './variant.js';
import type { InvariantChecker } from './invariant-checker.js';

/** Everything that one simulated history consists of. */
export interface World {
  readonly scheduler: Scheduler;
  readonly chain: ModelChain;
  readonly tables: LedgerTables;
  /** Who settles: every instance by itself, or the facilitator for all of them. */
  readonly settlesBy: 'itself' | 'facilitator';
  readonly facilitator: ModelFacilitator;
  /** How many blocks deep the facilitator's transfers must be. */
  readonly confirmations: number;
  readonly faults: Faults;
  readonly checker: InvariantChecker;
  readonly variant: Variant;
  /** One stream of chance per subject. */
  readonly random: (subject: string) => Random;
  /** All purchases so far, by nonce. */
  readonly purchases: Map<Hex, Purchase>;
  /** The running instances. */
  readonly instances: Instance[];
  /** All that ever ran, the dead ones too. */
  readonly started: Instance[];
  /** One instance at a time has the database to itself, as the embedded one is had. */
  readonly isEmbedded: boolean;
  /** A line of the readable story, made only when somebody reads it. */
  readonly trace: (line: () => string) => void;
  /** Lets the outside world meddle, at the very moment a port is called for a payment. */
  readonly meddle: (nonce: Hex | undefined) => void;
  /** Ends an instance where it stands; another takes its place after a while. */
  readonly crash: (instance: Instance) => void;
}

/** When every history begins. */
export const startMs = Date.parse('2026-03-08T12:00:00.000Z');
