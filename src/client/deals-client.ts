import type { CompactDeal, Deal, Meta, ShortMeta } from '../../generated/types.gen.js';
import type { Methods, Readers } from '../../generated/methods.gen.js';
import type { IdOf, MethodName, NamedId } from '../wire/operation-names.js';
import type { DataOf, IsOptional, ParametersOf } from './wire/operation-types.js';
import type { PaymentStorage } from './payments/payment-storage.js';
import type { Payer } from './payments/payer.js';

/** Options of a client. Only `baseUrl` has no default. */
export interface DealsClientOptions {
  /** Address of the service, such as `https://deals.example.com`. */
  readonly baseUrl: string;
  /** The account that pays: a viem account or any compatible signer. Without it, only free calls succeed. */
  readonly account?: Account;
  /** Highest price of one call, in dollars. Default "0.10"; a report needs "1.50". */
  readonly maxPricePerCall?: string;
  /** Spending limit for any hour and any day, in dollars. Default: only the limit of each call. */
  readonly budget?: { readonly perHour?: string; readonly perDay?: string };
  /** Tokens that may be used to pay, from the dollar tokens that this client knows. Default: all of them. */
  readonly allowedAssets?: readonly Asset[];
  /** Called before anything is signed. Returns false, or throws, to refuse. */
  readonly onBeforePay?: (quote: Quote) => boolean | void | Promise<boolean | void>;
  /** Called before each pause when the server asks to retry later. */
  readonly onWait?: (seconds: number) => void;
  /** Ends every call. A payment presented by then is kept; the next call for the same request presents it again. */
  readonly signal?: AbortSignal;
  /** Where payments are kept. Default: in memory, so a restart forgets open payments and spent amounts. */
  readonly storage?: PaymentStorage;
  /** Maximum number of requests per call while the server asks to retry later. Default 6. */
  readonly maxAttempts?: number;
  /** Largest reply with data, in bytes after decoding. Default 32 MB; beyond it `reply_too_large`. */
  readonly maxReplyBytes?: number;
  readonly fetch?: typeof globalThis.fetch;
  /** Starts a timer of a request, and returns what cancels it. */
  readonly startTimer?: (ms: number, end: () => void) => () => void;
  readonly now?: () => Date;
  /** In [0, 1): the jitter of retries. */
  readonly random?: () => number;
  /** Returns `length` unpredictable bytes. */
  readonly randomBytes?: (length: number) => Uint8Array;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** The account that pays. `paymentReply`, and a payment that somebody else has sent, need `signMessage`. */
export interface Account extends Payer {
  readonly signMessage?: (parameters: { message: string }) => Promise<`0x${string}`>;
}

/** A token on a network: the CAIP-2 name and the token's address. */
export interface Asset {
  readonly network: string;
  readonly asset: string;
}

/** A payment about to be signed. */
export interface Quote extends Asset {
  /** Path and query of the request. */
  readonly request: string;
  /** Dollars, such as "0.05". */
  readonly price: string;
  readonly payTo: string;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Overrides the client's `maxPricePerCall`. */
  readonly maxPrice?: string;
}

export interface AllOptions extends CallOptions {
  /** Called after each page. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How much of a result set has arrived. */
export interface Progress {
  readonly received: number;
  /** Records in the whole result set, as counted by the server. */
  readonly total: number;
  readonly pages: number;
}

/** The result of a call. */
export interface Answer<Data> {
  readonly data: Data;
  /** The payment; undefined for a free call. */
  readonly paid: Paid | undefined;
  /**
   * True when the server confirmed, free, that the earlier bought reply is still current; `data` is then that reply.
   */
  readonly isUnchanged: boolean;
  /** Records in the whole result set; undefined when the reply is not a list. */
  readonly total: number | undefined;
  /** Gets the next page, free; undefined on the last page and when `isUnchanged`. @throws PurchaseError */
  readonly next: (() => Promise<Answer<Data>>) | undefined;
}

export interface Paid extends Asset {
  /** Dollars, such as "0.05". */
  readonly amount: string;
  readonly payer: string;
  /** Public id of the payment: `payment` returns its state. */
  readonly paymentId: string;
  /** True when an open payment of an earlier call paid for this; the data dates from that call. */
  readonly isRedelivered: boolean;
  /** Hash of the transaction; undefined when the server sent no readable receipt. */
  readonly transaction: string | undefined;
}

/** Money spent, in dollars. Amounts that may still be charged count. */
export interface Spending {
  /** Charged or open amounts. */
  readonly lastHour: string;
  readonly lastDay: string;
  /** Amounts that a budget counts besides: of refused payments, until they can no longer be charged. */
  readonly held: string;
  /** Signed payments with an open outcome. The next call for the same request presents them again. */
  readonly open: readonly OpenPayment[];
}

export interface OpenPayment extends Asset {
  /** Address of the request. */
  readonly url: string;
  readonly amount: string;
  readonly payer: string;
  readonly paymentId: string;
  /** The payment cannot be charged after this moment. */
  readonly validBefore: Date;
}

/** A method for each operation that has a name; those that sell lists have `all` as well. @throws PurchaseError */
export type OperationMethods = {
  readonly [Name in keyof Methods]: Method<Methods[Name]> & Reader<Methods[Name]>;
};

type Method<Id extends NamedId> = Id extends keyof Viewed
  ? <View extends keyof Viewed[Id] = 'full' & keyof Viewed[Id]>(
      parameters?: Seen<Id, View>,
      options?: CallOptions,
    ) => Promise<Answer<Viewed[Id][View]>>
  : IsOptional<Id> extends true
    ? (parameters?: ParametersOf<Id>, options?: CallOptions) => Promise<Answer<DataOf<Id>>>
    : (parameters: ParametersOf<Id>, options?: CallOptions) => Promise<Answer<DataOf<Id>>>;

/** Reads a whole result set for one payment. An error of the iteration leaves the records before it, paid for. */
type Reader<Id extends NamedId> = Id extends keyof Readers
  ? { readonly [Name in keyof Readers[Id]]: ReadAll<Id> }
  : unknown;

type ReadAll<Id extends keyof Readers> = Id extends 'listDeals' | 'listHotDeals'
  ? <View extends keyof DealViews = 'full'>(
      parameters?: Seen<Id, View>,
      options?: AllOptions,
    ) => AsyncIterable<DealViews[View][number]>
  : (parameters?: ParametersOf<Id>, options?: AllOptions) => AsyncIterable<RecordOf<DataOf<Id>>>;

/** The records of a bare list, or of one in an envelope. */
type RecordOf<Data> = Data extends readonly (infer Item)[]
  ? Item
  : Data extends { signals: (infer Item)[] } | { events: (infer Item)[] }
    ? Item
    : never;

/** The replies by view, of the operations that have one. */
interface Viewed {
  readonly listDeals: DealViews;
  readonly listHotDeals: DealViews;
  readonly getMeta: { readonly full: Meta; readonly short: ShortMeta };
}
interface DealViews {
  readonly full: Deal[];
  readonly compact: CompactDeal[];
}
type Seen<Id extends keyof Viewed, View> = ParametersOf<Id> & { readonly view?: View };

/** All operations of the service, with payment included. */
export interface DealsClient extends OperationMethods {
  /** The current price of a method, in dollars; undefined when it is free. Signs nothing. */
  price<Name extends MethodName>(
    name: Name,
    parameters?: ParametersOf<IdOf<Name>>,
    options?: CallOptions,
  ): Promise<Quote | undefined>;
  /** Spent amounts and open payments. Sends no request. */
  spending(): Promise<Spending>;
}
