import { manual } from '../../../generated/manual.gen.js';
import type { OperationId } from '../wire/operation-paths.js';

/** What the contract says of a parameter. */
export interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
  /** The only ones, where there are so few. */
  readonly values?: readonly string[] | undefined;
  readonly description: string;
}

/** What the contract says of an operation. */
export interface ManualPage {
  readonly summary: string;
  /** Null when it is free. */
  readonly priceUsd: string | null;
  readonly parameters: readonly Parameter[];
}

/** How an operation is called from the command line. Its options are the operation's parameters. */
export interface Verb {
  readonly verb: string;
  /** A switch that chooses this operation among those of the verb. */
  readonly when?: string;
  /** What may follow the verb. It runs as it stands, but for the ids and moments in it. */
  readonly example: readonly string[];
}

/** Why an operation has no verb, and is no tool of agents where it is none. The `buy` form reaches it still. */
interface Verbless {
  readonly why: string;
}

const forPrograms = { why: 'It is read by programs that look for services.' };
const forBrowsers = { why: 'It is a page, or a part of one.' };
const forOperators = { why: 'It tells whoever runs the server how that is.' };

/** The verb of each operation. It does not compile when an operation of the contract has neither verb nor reason. */
export const verbs = {
  listDeals: { verb: 'deals', example: ['--state', 'OH', '--min-cap', '8.5'] },
  listHotDeals: { verb: 'hot', example: ['--csv'] },
  listBasicDeals: { verb: 'basic', example: ['--state', 'OH', '--limit', '50', '--all'] },
  listDealIds: { verb: 'ids', example: [] },
  listSignals: { verb: 'signals', example: ['--has-address', '--limit', '20'] },
  listAuctions: { verb: 'auctions', example: ['--include-past'] },
  listLeads: { verb: 'leads', example: ['--min-score', '40', '--max', '0.25'] },
  buyExclusiveLead: { verb: 'exclusive-lead', example: ['--max', '1.00'] },
  lookUpAddress: { verb: 'lookup', example: ['3458 E 93rd St, Cleveland, OH 44105'] },
  getReport: { verb: 'report', example: ['3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11', '--max', '1.50'] },
  getMeta: { verb: 'meta', example: [] },
  countChanges: { verb: 'changes', example: ['2026-01-15T05:00:00.000Z'] },
  listSources: { verb: 'sources', example: [] },
  getPayment: { verb: 'payment', example: ['0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] },
  getPaymentResponse: {
    verb: 'payment',
    when: 'reply',
    example: ['0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', '--reply'],
  },
  getPage: { why: '--all reads the further pages.' },
  getContractJson: forPrograms,
  getContractYaml: forPrograms,
  getLlmsText: forPrograms,
  getX402Discovery: forPrograms,
  getApiCatalog: forPrograms,
  getSecurityText: forPrograms,
  getFavicon: forBrowsers,
  getHome: forBrowsers,
  getReportViewer: forBrowsers,
  getErrorGuide: forBrowsers,
  getPageAsset: forBrowsers,
  getDocs: forBrowsers,
  getDocsScript: forBrowsers,
  getHealth: forOperators,
  getReadiness: forOperators,
} as const satisfies { readonly [Id in OperationId]: Verb | Verbless };

/** An operation that has a verb, with what the contract says of it. */
export interface VerbOperation extends Verb, ManualPage {
  readonly id: OperationId;
}

const pages: { readonly [Id in OperationId]: ManualPage } = manual;

/** Every operation with a verb, in the order in which people want them. */
export const verbOperations: readonly VerbOperation[] = Object.entries(verbs).flatMap(([id, entry]) =>
  'why' in entry ? [] : [{ id: id as OperationId, ...entry, ...pages[id as OperationId] }],
);

/** The operations of a verb: one, and those that a switch chooses. None where there is no such verb. */
export function findVerb(verb: string): readonly VerbOperation[] {
  return verbOperations.filter((each) => each.verb === verb);
}

/** The option of a parameter: `min_cap` is `min-cap`. */
export function optionOf({ name }: Parameter): string {
  return name.replaceAll('_', '-');
}
