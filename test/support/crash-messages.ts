/**
 * The points of a payment, in the order in which it passes them. store: a settlement's signed transaction is written
 * down. send: it goes to the node. finish: whatever the ledger is told of the outcome. note: writing down that the
 * reply was delivered.
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

/** Where a paid request may be cut off. */
export type CrashStep = `${'before' | 'after'} ${CrashPoint}`;

/**
 * What becomes of a settlement. settled: all is well. failed: the token blocks the payer before it. landed: it is
 * settled, but nobody hears of it. lost: the node takes its transaction and forgets it. overtaken: somebody else
 * settles it before.
 */
export const fates = ['settled', 'failed', 'landed', 'lost', 'overtaken'] as const;

export type Fate = (typeof fates)[number];

/** What a crash server is started with. */
export interface CrashOrders {
  /** Its environment variables, as a process that is started in production has them. */
  readonly environment: Readonly<Record<string, string>>;
  /** How far its clock is ahead: past the leases of those who died before it. */
  readonly skewSeconds: number;
  /** Nonces of payments whose transactions the node forgets. */
  readonly lost?: readonly string[];
  /** Leaves its jobs undone. */
  readonly isIdle?: boolean;
  /** Dies once its jobs and requests have asked the database so often. */
  readonly dieAfterStatements?: number;
}

/** What happens to a payment. */
export interface Doom {
  readonly nonce: string;
  readonly step: CrashStep;
  readonly fate: Fate;
  /** The process dies at the step; else the payment is left standing there until another one's step is its death. */
  readonly isLast: boolean;
}

export type CrashRequest =
  | ({ readonly kind: 'arm' } & Doom)
  /** Moves its clock. */
  | { readonly kind: 'advance'; readonly seconds: number }
  /** What was asked for before a settlement has happened to the chain. */
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
  /** All jobs that were due are over. */
  | { readonly kind: 'worked'; readonly statements: number }
  | { readonly kind: 'armed' | 'advanced' | 'reconciled' }
  /** A payment stands at its step. */
  | { readonly kind: 'reached' }
  /** A settlement waits for what its fate asks of the chain. */
  | { readonly kind: 'settling' }
  | {
      readonly kind: 'audit';
      readonly payments: readonly AuditedPayment[];
      readonly listings: number;
      /** What is wrong where every payment is for a lead exclusively. */
      readonly faultsOfHolds: readonly string[];
    };
