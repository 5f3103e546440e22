import type { CallOptions } from '../deals-client.js';
import type { Purchase, PurchaseOptions } from './purchase.js';
import type { SendRequest } from '../service-client.js';

/** Parameters of any operation. */
export type Parameters = Readonly<Record<string, unknown>>;

/** One call of a client: its connection to the server and its limits. */
export interface Call extends PurchaseOptions {
  readonly send: SendRequest;
}

/** The result of a call. The reply is always a 200, possibly an earlier cached one. */
export interface CallResult extends Purchase {
  readonly isUnchanged: boolean;
}

export interface GetOptions extends CallOptions {
  /** True when the caller also reads the further pages. */
  readonly readsOn?: boolean;
}
