import type { Auction, BasicDeal, Deal, Lead, Signal } from '../../generated/types.gen.js';
import type { OperationId } from './wire/operation-paths.js';
import type { DataOf, IsOptional, ParametersOf } from './wire/operation-types.js';
import type { PaymentStorage } from './payments/payment-storage.js';
import type { Payer } from './payments/sign-payment.js';

/** What a client is made of. All but the address has a default. */
export interface DealsClientOptions {
  /** Address of the service, such as `https://deals.example.com`. */
  readonly baseUrl: string;
  /** Whoever pays: an account of viem, or anything that signs like one. Without it what is free can be had. */
  readonly account?: Account;
  /** Highest price of one call, in dollars. Default "0.10"; a report needs "1.50". */
  readonly maxPricePerCall?: string;
  /** Most that is spent in any hour and in any day, in dollars. Default: no limit but that of each call. */
  readonly budget?: { readonly perHour?: string; readonly perDay?: string };
  /** What may be paid with, of the dollar tokens that this client knows. Default: each of them. */
  readonly allowedAssets?: readonly Asset[];
  /** Told before anything is signed. Returns false, or throws, to refuse. */
  readonly onBeforePay?: (quote: Quote) => boolean | void | Promise<boolean | void>;
  /** Told before each pause, when the server asks to come back later. */
  readonly onWait?: (seconds: number) => void;
  /** Ends every call. What was paid by then is kept, and presented again by the next call for the same. */
  readonly signal?: AbortSignal;
  /** Where payments are kept. Default: in memory, so that a restart forgets what is open and what was spent. */
  readonly storage?: PaymentStorage;
  /** Times that a request is sent in all, while the server asks to come back later. Default 6. */
  readonly maxAttempts?: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly now?: () => Date;
  /** In [0, 1): spreads out retries. */
  readonly random?: () => number;
  /** So many bytes that nobody can guess. */
  readonly randomBytes?: (length: number) => Uint8Array;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** Whoever pays. `signMessage` is needed by `getPaymentResponse` alone. */
export interface Account extends Payer {
  readonly signMessage?: (parameters: { message: string }) => Promise<`0x${string}`>;
}

/** A token on a network: its CAIP-2 name and the token's address. */
export interface Asset {
  readonly network: string;
  readonly asset: string;
}

/** What is about to be paid. */
export interface Quote extends Asset {
  /** Path and query of the request. */
  readonly request: string;
  /** Dollars, such as "0.05". */
  readonly price: string;
  readonly payTo: string;
}

/** For one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** In the place of the client's `maxPricePerCall`. */
  readonly maxPrice?: string;
}

export interface AllOptions extends CallOptions {
  /** Told after each page. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How much of a result set is here. */
export interface Progress {
  readonly received: number;
  /** Records of the whole result set, as the server counts them. */
  readonly total: number;
  readonly pages: number;
}

/** What a call got. */
export interface Answer<Data> {
  readonly data: Data;
  /** What was paid for it; undefined when it was free. */
  readonly paid: Paid | undefined;
  /** True when the server said, free, that what was bought before is still current: then it is that. */
  readonly isUnchanged: boolean;
  /** Records of the whole result set; undefined where there is none. */
  readonly total: number | undefined;
  /** Token of the next page, which `getPage` reads, free; undefined on the last one, and for what is unchanged. */
  readonly nextPage: string | undefined;
}

export interface Paid extends Asset {
  /** Dollars, such as "0.05". */
  readonly amount: string;
  readonly payer: string;
  /** Public id of the payment: `getPayment` says what became of it. */
  readonly paymentId: string;
  /** True when an earlier call had paid, whose outcome was open: the data is of then. */
  readonly isRedelivered: boolean;
  /** Hash of the transaction; undefined when the server sent no receipt that can be read. */
  readonly transaction: string | undefined;
}

/** What was spent, in dollars. Amounts that may still be charged count. */
export interface Spending {
  /**
   * What was charged, or is open; a budget holds what was refused as well, until it can surely not be charged any more.
   */
  readonly lastHour: string;
  readonly lastDay: string;
  /** Payments that are signed and whose outcome is open. The next call for the same request presents them again. */
  readonly open: readonly OpenPayment[];
}

export interface OpenPayment extends Asset {
  /** Address of the request that it is for. */
  readonly url: string;
  readonly amount: string;
  readonly payer: string;
  readonly paymentId: string;
  /** After this moment it cannot be charged any more. */
  readonly validBefore: Date;
}

/** Reads a whole result set for one payment: the records of all pages, one by one. */
export interface RecordReader<Id extends OperationId, Item> {
  /** @throws PurchaseError from the iteration; what came before it is whole, and paid for. */
  all(parameters?: ParametersOf<Id>, options?: AllOptions): AsyncIterable<Item>;
}

/** A method for each operation of the contract, named by its operationId. @throws PurchaseError */
export type OperationMethods = {
  readonly [Id in OperationId]: IsOptional<Id> extends true
    ? (parameters?: ParametersOf<Id>, options?: CallOptions) => Promise<Answer<DataOf<Id>>>
    : (parameters: ParametersOf<Id>, options?: CallOptions) => Promise<Answer<DataOf<Id>>>;
};

/** Everything that the service sells, with payment included. */
export interface DealsClient extends OperationMethods {
  readonly deals: RecordReader<'listDeals', Deal>;
  readonly hotDeals: RecordReader<'listHotDeals', Deal>;
  readonly basicDeals: RecordReader<'listBasicDeals', BasicDeal>;
  readonly signals: RecordReader<'listSignals', Signal>;
  readonly auctions: RecordReader<'listAuctions', Auction>;
  readonly leads: RecordReader<'listLeads', Lead>;
  /** What an operation costs at the moment, in dollars; undefined when it is free. Nothing is signed. */
  price<Id extends OperationId>(
    id: Id,
    parameters?: ParametersOf<Id>,
    options?: CallOptions,
  ): Promise<Quote | undefined>;
  /** What was spent, and what is open. Asks nobody. */
  spending(): Promise<Spending>;
}
