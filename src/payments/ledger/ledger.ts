import type { Hex } from '../chain/eip3009.js';
import type { Bytes } from '../../contract/rendered.js';

/** How long a claim is its owner's: longer than a settlement takes. After it another instance may take it over. */
export const leaseMs = 60_000;

/** What names an authorization for ever: the ledger has one row for each. All in lower case. */
export interface PaymentKey {
  readonly network: string;
  readonly asset: Hex;
  readonly payer: Hex;
  readonly nonce: Hex;
}

/**
 * claimed: reserved, the outcome is open (also after a crash; then its lease runs out), and open again where the chain
 * has undone its settlement. settled: paid. released: not paid and never will be by this claim; the authorization may
 * be claimed anew.
 */
export type PaymentState = 'claimed' | 'settled' | 'released';

/**
 * pending: handed to a connection, or waiting for its buyer. incomplete: known not to have arrived. refunded: never to
 * be delivered, since its buyer has the money back.
 */
export type Delivery = 'pending' | 'completed' | 'incomplete' | 'refunded';

/** One authorization and what became of it. */
export interface PaymentRow extends PaymentKey {
  readonly state: PaymentState;
  /** Empty in a rebuilt row whose amount is no operation's alone. */
  readonly operationId: string;
  /** The address of what was asked for, below PUBLIC_BASE_URL. */
  readonly resource: string;
  /**
   * SHA-256 over operation, canonical parameters and price: what the authorization was claimed for. Undefined in a
   * rebuilt row that has bought nothing since; then signature, window and reply are empty, too.
   */
  readonly binding: Uint8Array | undefined;
  readonly amount: bigint;
  readonly payTo: Hex;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly signature: Hex;
  readonly claimedAt: Date;
  readonly leaseOwner: string;
  /** Whether the lease lasted when the row was read. */
  readonly isLeased: boolean;
  /** By the chain's time. No transfer of it is older, also where a reorganization moves it into an older block. */
  readonly searchFrom: Date;
  /** The buyer's own identifier as a keyed hash; with it the same payment gets its reply again. Gone once released. */
  readonly clientIdHash: Uint8Array | undefined;
  /** Which history of a local chain it was claimed on; empty on public networks, which have one. */
  readonly chainInstance: string;
  /** Present exactly when the row is settled. */
  readonly settlement: Settlement | undefined;
  /** When it was booked that the chain had undone a settlement of this payment; stays when it is settled again. */
  readonly reorgedAt: Date | undefined;
  /** Its transfer failed on the chain: it is public since then, and never sent again. */
  readonly failure: Failure | undefined;
  readonly delivery: Delivery;
  readonly replyHash: Uint8Array;
  readonly replyHeaders: Readonly<Record<string, string>>;
}

/** Where and when the transfer of a payment was proven. */
export interface Settlement {
  readonly transaction: Hex;
  readonly blockNumber: bigint;
  readonly settledAt: Date;
}

/** Where it was proven, and what that has cost, where this service has paid for it. */
export interface SettledAt extends Omit<Settlement, 'settledAt'> {
  readonly feeGwei?: bigint;
}

/** What a payer held, in atomic units, in the state after a block. */
export interface Funds {
  readonly balance: bigint;
  readonly blockNumber: bigint;
}

/** A transfer that was mined and paid nothing. */
export interface Failure {
  readonly failedAt: Date;
  /** What it burned, in units of gas. */
  readonly gas: bigint;
  /** It has burned the gas of a transaction that others shared. */
  readonly burnedShared: boolean;
}

export type Burned = Omit<Failure, 'failedAt'>;

/** A payer is known by a payment that was settled here within this time, and longer ago than `newcomerMs`. */
export const knownPayerMs = 30 * 86_400_000;
export const newcomerMs = 3_600_000;

/** A payer may cost this service so many failed transfers within a day, one with code fewer, and then has to wait. */
export const failuresAllowed = { withoutCode: 2, withCode: 1 };
export const failuresCountMs = 86_400_000;
/** Over how long the gas of failed transfers is counted. */
export const gasMs = 3_600_000;
/** While the gas of the hour is burned, newcomers may still pay so often within so long. */
export const newcomersAllowed = 10;
export const newcomersCountMs = 60_000;

/** No payment that is in flight is older; a claim counts as being so for a while, also where its lease has ended. */
export const inFlightMs = 2 * 3_600_000;
export const youngMs = 60_000;
/** Longer ago than any reorganization reaches: it may move a transfer into a block before the one that was seen. */
export const reorgMs = 1_800_000;
/** How far back open payments are looked for: no authorization can be settled that long after its claim. */
export const openMs = 7 * 86_400_000;

/** A lead that a reply shows. */
export interface ShownLead {
  /** UUID. */
  readonly leadId: string;
  /** Until when it is held for the buyer, who alone gets it; undefined where others get it as well. */
  readonly exclusiveUntil: Date | undefined;
}

/** The columns of a payment that its claim writes. */
export type ClaimedRow = Omit<PaymentRow, 'state' | 'isLeased' | 'settlement' | 'reorgedAt' | 'failure' | 'delivery'>;

/** A claim: the row to be, with the paid reply that it reserves. */
export interface Claim extends Omit<ClaimedRow, 'claimedAt'> {
  readonly binding: Uint8Array;
  readonly replyBody: Bytes;
  /** The claim holds only while this feed still has this version. */
  readonly feed: { readonly name: string; readonly version: number };
  /**
   * The leads that the reply shows: the claim holds only while none of them is held by another payment, and with it
   * those that are exclusive are held. At most one is.
   */
  readonly leads?: readonly ShownLead[];
  /** The chain shows the transfer already: nothing is to be sent, so that no failure stands against it. */
  readonly isPaid: boolean;
  /** The gas that its transfer may use, where its payer has code; undefined for all others. */
  readonly payerGas: bigint | undefined;
  /** What must cover it and what of its payer's is in flight; undefined where a facilitator settles. */
  readonly funds: Funds | undefined;
}

/**
 * claimed: since `claimedAt`; `mayShare` where its payer is known, and no transaction that payments shared has burned
 * its gas within an hour. stale: the feed has another version by now, or another payment holds a lead of the reply.
 * id_conflict: the payer has used the same identifier of its own for another authorization. payer_failed: its transfers
 * have failed too often; it may pay again at `until`. gas_burned: failed transfers have burned the gas of an hour.
 * funds_in_flight: the payer's other payments need what it holds. known: also a released row whose transfer has failed.
 */
export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claimedAt: Date; readonly mayShare: boolean }
  | { readonly kind: 'stale' }
  | { readonly kind: 'id_conflict' }
  | { readonly kind: 'payer_failed'; readonly until: Date }
  | { readonly kind: 'gas_burned' }
  | { readonly kind: 'funds_in_flight' }
  | { readonly kind: 'known'; readonly row: PaymentRow };

/** A payment whose money may not be missing yet from what its payer was seen to hold. */
export interface InFlight extends Pick<PaymentRow, 'nonce' | 'amount'> {
  /** False once it is settled. */
  readonly isOpen: boolean;
}

/**
 * The ledger: one row per authorization, never evicted while its nonce could be used. Every transition is fenced by
 * the lease's owner, so that an instance that was taken over cannot write any more. All of its times, and whether a
 * lease is over, are by the database's clock alone; instances give durations.
 */
export interface Ledger {
  find(key: PaymentKey): Promise<PaymentRow | undefined>;
  /** The payment with this public id, whether its reply's body is still there, and when it was read. */
  findById(
    paymentId: Uint8Array,
  ): Promise<{ readonly row: PaymentRow; readonly isReplyKept: boolean; readonly readAt: Date } | undefined>;
  /**
   * Reserves the authorization and what the reply holds, and keeps the reply, in one statement; exactly one of any
   * number of copies wins. A rebuilt row that has bought nothing is claimed only by what is paid already.
   */
  claim(claim: Claim): Promise<ClaimResult>;
  /**
   * The payments of the claim's payer that may still take money from its funds, now or in a block after theirs: claimed
   * under lease or within a minute, or settled since.
   */
  listInFlight(claim: Claim): Promise<readonly InFlight[]>;
  /** Whether the buyer's own identifier stands for another of its payments. */
  isClientIdTaken(payment: Pick<Claim, 'clientIdHash'> & { readonly key: PaymentKey }): Promise<boolean>;
  /** claimed -> settled, delivery pending. False when the lease was lost. */
  finish(key: PaymentKey, owner: string, at: SettledAt, leaseForMs: number): Promise<boolean>;
  /**
   * claimed -> released; the buyer's own identifier and a lead that was held are free again. False when the lease was
   * lost. `failure`: its transfer was mined and paid nothing.
   */
  release(key: PaymentKey, owner: string, reason: string, failure?: Burned): Promise<boolean>;
  /** Ends the lease of a claimed row whose outcome is not known, so that anyone may ask the chain. */
  endLease(key: PaymentKey, owner: string): Promise<void>;
  /** Takes over a claimed row whose lease has run out. False while it lasts, or when another was faster. */
  takeOver(key: PaymentKey, owner: string, leaseForMs: number): Promise<boolean>;
  /** Takes the sole right to deliver a settled reply again: it is `incomplete`, or `pending` with its lease run out. */
  takeRedelivery(key: PaymentKey, owner: string): Promise<boolean>;
  /** Notes deliveries of claimed or settled rows; a completed one stays so. */
  recordDeliveries(keys: readonly PaymentKey[], delivery: 'completed' | 'incomplete'): Promise<void>;
  /**
   * The body of a reply; undefined if none is kept. `suppressed`: it shows a record that was suppressed a day ago or
   * earlier, by the database's clock; then the body is gone for good.
   */
  readReplyBody(hash: Uint8Array): Promise<Uint8Array | 'suppressed' | undefined>;
  /** Ends all leases of other owners: only for the only user of a database, right after its start. */
  endForeignLeases(owner: string): Promise<number>;
  /**
   * Deletes reply bodies stored so long ago, unless a payment with that body is open, undelivered, or claimed since;
   * and those that `readReplyBody` would call suppressed. Returns how many.
   */
  discardBodies(ageMs: number): Promise<number>;
  /** Claimed rows whose lease has run out, oldest first. */
  listOpen(limit: number): Promise<readonly PaymentRow[]>;
  /**
   * Settled rows claimed since then whose transfer is in a block after this one, or that were settled within
   * `lateMs`; oldest first.
   */
  listSettled(claimedSince: Date, afterBlock: bigint, lateMs: number, limit: number): Promise<readonly PaymentRow[]>;
  /**
   * settled -> claimed with its lease over, because the chain has undone the settlement that `row` holds. False when
   * the row holds another one by now.
   */
  bookReorg(row: PaymentRow, owner: string): Promise<boolean>;
  /** Notes that the transfer of a settled row now stands elsewhere on the chain. False as with `bookReorg`. */
  moveSettlement(row: PaymentRow, to: SettledAt): Promise<boolean>;
}
