import type { Config } from '../../config/config.js';
import type { SettingFinding } from '../../config/setting-faults.js';
import type { ChainClient } from '../../payments/chain/clients.js';
import type { Hex } from '../../payments/chain/eip3009.js';
import type { ClockFault } from '../../payments/settlement/heartbeat.js';
import type { SupportedAnswer } from '../../payments/settlement/facilitator/facilitator-client.js';
import type { ProxyPlace } from '../../limits/untrusted-proxies.js';
import type { PaymentTerms } from '../../payments/terms.js';
import type { DatabaseContent, DatabaseFacts, KeptInFlight } from './database-reader.js';

/**
 * refuse: the process ends, since it stays wrong until somebody edits something. not_ready: it starts, and sells
 * nothing. warn: it sells.
 */
export type Severity = 'refuse' | 'not_ready' | 'warn';

/** What a check has found. */
export interface Finding {
  /** For the operator; it may name hosts and addresses, and never a secret. */
  readonly sentence: string;
  readonly figures?: Readonly<Record<string, number | string>>;
  /** Where they differ from those of its check; these may name hosts and addresses too. */
  readonly severity?: Severity;
  readonly cure?: string;
  readonly why?: string;
  /** It may have been a bad moment: two looks in a row count. */
  readonly isDoubt?: true;
}

/** What a check has to tell where all is well. */
export interface Fine extends Pick<Finding, 'figures'> {
  readonly sentence?: undefined;
}

type Look = Finding | Fine | undefined;

/** Something that can be wrong with the service. */
export interface Check {
  readonly id: `${string}.${string}`;
  /** The gravest of its findings. */
  readonly severity: Severity;
  /** live: every few seconds while the service runs. told: then by the part that meets it, which looks by itself. */
  readonly at: readonly ('start' | 'live' | 'told' | 'doctor')[];
  /** What it finds, for the runbook. */
  readonly finds: string;
  /** What ends it: a sentence, or a line to copy. For everybody: it names no host, path or key of this service. */
  readonly cure: string;
  /** In plain words for buyers, where it is looked at live and can end the selling. */
  readonly why?: string;
  /** What rarely changes is looked at each minute while the service runs. */
  readonly isSlow?: true;
  /** Looks once; no finding where all is well. A check that cannot look rejects, and nothing is known. */
  look(ports: CheckPorts): Promise<Look> | Look;
}

/** A chain that is asked. */
export interface CheckedChain extends PaymentTerms {
  readonly client: ChainClient;
  /** The relayer keys' addresses: those that are configured, or the one in use. */
  readonly relayers: readonly Hex[];
}

/** How often jobs are due. */
export type Timetable = readonly { readonly job: string; readonly periodMs: number }[];

export interface CheckPorts {
  readonly config: Config;
  readonly findings: readonly SettingFinding[];
  /** Undefined: there is no chain to ask. */
  readonly chain: CheckedChain | undefined;
  /** Asks the facilitator that settles; undefined without one. */
  readonly askFacilitator: (() => Promise<SupportedAnswer>) | undefined;
  /** Rejects where the database is not to be asked, or cannot be. */
  readonly readFacts: () => Promise<DatabaseFacts>;
  /** The same, and rejects while its tables are not there. */
  readonly readContent: () => Promise<DatabaseContent>;
  readonly timetable: Timetable;
  /** What is free on the disk of the embedded database; undefined with PostgreSQL. */
  readonly freeBytes?: (() => Promise<number>) | undefined;
  /** Nonces of a relayer below `used` that the database never saw, of two days; see `countUnknownNonces`. */
  readonly countUnknownNonces: (relayer: Hex, used: number) => Promise<number>;
  /** What is kept for a relayer's lowest nonce from `used` on; undefined where nothing is in flight. */
  readonly readInFlight?: (relayer: Hex, used: number) => Promise<KeptInFlight | undefined>;
  /** When another program last took a nonce of this process. */
  readonly displacedAt?: () => Date | undefined;
  /** What forwards buyers to this process and is not trusted to; see `UntrustedProxies`. */
  readonly findUntrustedProxy?: () => ProxyPlace | undefined;
  /** How far this clock is from the database's, where it is known. Default: the database is asked. */
  readonly clockFault?: () => ClockFault | undefined;
  readonly now: () => Date;
}

/** The chain to ask. @throws Error where there is none */
export function chainOf({ chain }: CheckPorts): CheckedChain {
  if (chain === undefined) throw new Error('no chain is configured');
  return chain;
}

/** Finds something where it is the case. */
export function findIf(isSo: boolean, finding: () => Finding): Finding | undefined {
  return isSo ? finding() : undefined;
}
