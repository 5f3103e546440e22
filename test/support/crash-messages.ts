/**
 * The points of a payment, in order. store: a settlement's signed transaction is written down. send: it goes to the
 * node. give-up: a transfer of nothing is written down, which takes the nonce of what is not mined. finish: any outcome
 * is recorded in the ledger. note: the delivery of the reply is recorded. rebuild: a restored ledger gets what it
 * lacks.
 */
export const crashPoints = [
  'verify',
  'handler',
  'claim',
  'store',
  'send',
  'give-up',
  'settle',
  'finish',
  'reply',
  'note',
  'rebuild',
] as const;

export type CrashPoint = (typeof crashPoints)[number];

/** Where a paid request may be interrupted. */
export type CrashStep = `${'before' | 'after'} ${CrashPoint}`;

/**
 * The outcome of a settlement. settled: normal. failed: the token blocks the payer before it. landed: it is settled,
 * but the reply is lost. lost: the node accepts its transaction and forgets it. overtaken: another party settles it
 * before. restored: normal, and then the ledger is an older copy.
 */
export const fates = ['settled', 'failed', 'landed', 'lost', 'overtaken', 'restored'] as const;

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
  /** Reads and publishes one listing, and leaves its jobs undone. */
  readonly hasOneDeal?: boolean;
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
  /** How far its clock moves when the node has forgotten its transaction. */
  readonly forgottenSeconds: number;
}

export type CrashRequest =
  | ({ readonly kind: 'arm' } & Doom)
  /** Moves its clocks. Resolves after a heartbeat. */
  | { readonly kind: 'advance'; readonly seconds: number }
  /** The requested preparation of the chain before a settlement is done. */
  | { readonly kind: 'prepared' }
  /** Rebuilds the ledger; the process dies at the statement that writes, where that is asked. */
  | { readonly kind: 'rebuild'; readonly dies?: 'before' | 'after' }
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
  readonly isRebuilt: boolean;
}

export type CrashReport =
  | { readonly kind: 'started'; readonly url: string; readonly rpcUrl: string }
  /** All due jobs have ended. */
  | { readonly kind: 'worked'; readonly statements: number }
  | { readonly kind: 'armed' | 'advanced' | 'reconciled' }
  /** A payment has reached its step. */
  | { readonly kind: 'reached' }
  /** `due`: the reasons of the refunds after it. */
  | {
      readonly kind: 'rebuilt';
      readonly written: number;
      readonly differenceUsd: string;
      readonly due: readonly string[];
    }
  /** A settlement waits for the preparation of the chain. */
  | { readonly kind: 'settling' }
  | {
      readonly kind: 'audit';
      readonly payments: readonly AuditedPayment[];
      readonly listings: number;
      /** The faults in the ledger when every payment is for an exclusive lead. */
      readonly faultsOfHolds: readonly string[];
    };
