/**
 * The points of a payment, in order. store: a settlement's signed transaction is written down. send: it goes to the
 * node. finish: any outcome is recorded in the ledger. note: the delivery of the reply is recorded.
 */
export const crashPoints = [
  'verify',
  'handler',
  'claim',
  'store',
  'send',
  'settle',
  'finish',
  'reply',
  'note',
] as const;

export type CrashPoint = (typeof crashPoints)[number];

/** Where a paid request may be interrupted. */
export type CrashStep = `${'before' | 'after'} ${CrashPoint}`;

/**
 * The outcome of a settlement. settled: normal. failed: the token blocks the payer before it. landed: it is settled,
 * but the reply is lost. lost: the node accepts its transaction and forgets it. overtaken: another party settles it
 * before.
 */
export const fates = ['settled', 'failed', 'landed', 'lost', 'overtaken'] as const;

export type Fate = (typeof fates)[number];

/** The start options of a crash server. */
export interface CrashOrders {
  /** Its environment variables, as for a production process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its clock's advance: past the leases of processes that died before it. */
  readonly skewSeconds: number;
  /** Nonces of payments whose transactions the node forgets. */
  readonly lost?: readonly string[];
  /** Its chain makes a block each 200 ms, and its node does not know eth_sendRawTransactionSync (EIP-7966). */
  readonly isPlainNode?: boolean | undefined;
  /** Leaves its jobs undone. */
  readonly isIdle?: boolean;
  /** Dies after this many database statements of its jobs and requests. */
  readonly dieAfterStatements?: number;
}

/** The fate of a payment. */
export interface Doom {
  readonly nonce: string;
  readonly step: CrashStep;
  readonly fate: Fate;
  /** The process dies at the step; otherwise the payment waits there until another one's step kills the process. */
  readonly isLast: boolean;
}

export type CrashRequest =
  | ({ readonly kind: 'arm' } & Doom)
  /** Moves its clock. */
  | { readonly kind: 'advance'; readonly seconds: number }
  /** The requested preparation of the chain before a settlement is done. */
  | { readonly kind: 'prepared' }
  | { readonly kind: 'reconcile' | 'audit' | 'stop' };

/** A row of the ledger. */
export interface AuditedPayment {
  /** In lower case. */
  readonly nonce: string;
  readonly state: string;
  /** Atomic units. */
  readonly amount: string;
  readonly transaction: string | undefined;
  /** The lead that it holds exclusively. */
  readonly leadId: string | undefined;
}

export type CrashReport =
  | { readonly kind: 'started'; readonly url: string; readonly rpcUrl: string }
  /** All due jobs have ended. */
  | { readonly kind: 'worked'; readonly statements: number }
  | { readonly kind: 'armed' | 'advanced' | 'reconciled' }
  /** A payment has reached its step. */
  | { readonly kind: 'reached' }
  /** A settlement waits for the preparation of the chain. */
  | { readonly kind: 'settling' }
  | {
      readonly kind: 'audit';
      readonly payments: readonly AuditedPayment[];
      readonly listings: number;
      /** The faults in the ledger when every payment is for an exclusive lead. */
      readonly faultsOfHolds: readonly string[];
    };
