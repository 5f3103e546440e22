import type { CallOptions, Quote, Spending } from '../deals-client.js';
import type { Purchase, PurchaseOptions } from './purchase.js';
import type { SendRequest } from '../service-client.js';

/** Parameters of any operation. */
export type Parameters = Readonly<Record<string, unknown>>;

/** One call of a client: its way to the server, with what bounds and ends it. */
export interface Call extends PurchaseOptions {
  readonly send: SendRequest;
}

/** What a call got: a 200 always, if it is one that was here before. */
export interface Got extends Purchase {
  readonly isUnchanged: boolean;
}

export interface GetOptions extends CallOptions {
  /** True for whoever reads the further pages as well. */
  readonly readsOn?: boolean;
}

/** How a client calls: each path with its query. @throws PurchaseError */
export interface Caller {
  readonly begin: (path: string, options?: CallOptions) => Call;
  /** What is there, paid for where it has a price. */
  readonly get: (path: string, options?: GetOptions) => Promise<Got>;
  /** What it costs; undefined when it is free. Nothing is signed. */
  readonly price: (path: string, options?: CallOptions) => Promise<Quote | undefined>;
  /** What was spent, and what is open. Asks nobody. */
  readonly spending: () => Promise<Spending>;
}
