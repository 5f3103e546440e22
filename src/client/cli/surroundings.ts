import type { TextOutput } from '../../terminal/progress-line.js';
import type { BuyerEnvironment } from '../buyer-environment.js';
import type { PaymentStorage } from '../payments/payment-storage.js';

/** Files that the command keeps for its user. */
export interface HomeFiles {
  /** Rejects where there is no such file. */
  readonly read: (name: string) => Promise<string>;
  /** Replaces the file as a whole, and returns its path. */
  readonly write: (name: string, text: string) => Promise<string>;
}

/** External inputs of the command. */
export interface Surroundings {
  readonly environment: BuyerEnvironment;
  /** Receives only the requested data. */
  readonly out: TextOutput;
  /** Receives all other messages. */
  readonly notes: TextOutput;
  /** Characters per line. */
  readonly width: number;
  readonly isColored: boolean;
  readonly files: HomeFiles;
  /** Opens a page in the person's browser; false where there is none. */
  readonly openBrowser: (address: string) => Promise<boolean>;
  /** Asks the person at the terminal; undefined without one. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  readonly sleep: (ms: number) => Promise<void>;
  /** Aborts when `out` has no reader any more. */
  readonly signal?: AbortSignal;
  /** Where open payments are kept; the same command presents the same payment again. */
  readonly storage: PaymentStorage;
  readonly now: () => Date;
  /** In [0, 1). */
  readonly random: () => number;
  /** Returns `length` unpredictable bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
}
