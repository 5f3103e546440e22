import type { TextOutput } from '../../terminal/progress-line.js';
import type { BuyerEnvironment } from '../buyer-environment.js';
import type { PaymentStorage } from '../payments/payment-storage.js';

/** What the command needs from outside. */
export interface Surroundings {
  readonly environment: BuyerEnvironment;
  /** Takes what was asked for, and nothing else. */
  readonly out: TextOutput;
  /** Takes all that is said beside it. */
  readonly notes: TextOutput;
  /** Characters to a line. */
  readonly width: number;
  /** Asks whoever sits there; undefined where nobody does. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  readonly sleep: (ms: number) => Promise<void>;
  /** Aborts when nobody reads `out` any more. */
  readonly signal?: AbortSignal;
  /** Where payments are kept whose outcome is open: the same command again presents the same payment. */
  readonly storage: PaymentStorage;
  readonly now: () => Date;
  /** In [0, 1). */
  readonly random: () => number;
  /** So many bytes that nobody can guess. */
  readonly randomBytes: (length: number) => Uint8Array;
}
