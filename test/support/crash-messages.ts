/** Where a paid request may be cut off. `note`: writing down that the reply was delivered. */
export type CrashStep = `${'before' | 'after'} ${'claim' | 'settle' | 'finish' | 'note'}`;

/** What a crash server is started with. */
export interface CrashOrders {
  readonly directory: string;
  /** Undefined: the embedded database in the directory. */
  readonly databaseUrl?: string;
  /** How far its clock is ahead: past the leases of those who died before it. */
  readonly skewSeconds: number;
  /** Dies once its jobs and requests have asked the database so often. */
  readonly dieAfterStatements?: number;
}

export type CrashRequest =
  { readonly kind: 'arm'; readonly step: CrashStep | undefined } | { readonly kind: 'audit' | 'stop' };

export type CrashReport =
  | { readonly kind: 'started'; readonly url: string; readonly rpcUrl: string }
  /** All jobs that were due are over. */
  | { readonly kind: 'worked'; readonly statements: number }
  | { readonly kind: 'armed' }
  | { readonly kind: 'audit'; readonly settled: string; readonly listings: number };
