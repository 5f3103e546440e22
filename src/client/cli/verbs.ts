import { manual } from '../../../generated/manual.gen.js';
import type { OperationId } from '../wire/operation-paths.js';

/** A parameter, as the contract describes it. */
export interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
  /** The allowed values, if they are few. */
  readonly values?: readonly string[] | undefined;
  readonly description: string;
}

/** An operation, as the contract describes it. */
export interface ManualPage {
  readonly summary: string;
  /** Null when it is free. */
  readonly priceUsd: string | null;
  readonly parameters: readonly Parameter[];
}

/** How an operation is called from the command line. Its options are the operation's parameters. */
export interface Verb {
  readonly verb: string;
  /** The switch that selects this operation when several share the verb. */
  readonly when?: string;
  /** Example arguments. They run unchanged, except for ids and moments. */
  readonly example: readonly string[];
}

/** The reason why an operation has no verb and, where that applies, no MCP tool. `buy` can still call it. */
interface Verbless {
  readonly why: string;
}

const forPrograms = { why: 'Programs that discover services read it.' };
const forBrowsers = { why: 'It is a page, or a part of one.' };
const forOperators = { why: 'It reports the state of the server to its operator.' };

/** The verb of each operation. An operation with neither verb nor reason does not compile. */
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
  countMatches: { verb: 'count', example: ['--of', 'deals', '--state', 'OH'] },
  countChanges: { verb: 'changes', example: ['2026-01-15T05:00:00.000Z'] },
  getCoverage: { verb: 'coverage', example: ['--feed', 'auctions'] },
  listSources: { verb: 'sources', example: [] },
  getPayment: { verb: 'payment', example: ['0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] },
  getPaymentResponse: {
    verb: 'payment',
    when: 'reply',
    example: ['0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', '--reply'],
  },
  getPage: { why: '--all reads the further pages.' },
  getContractJson: forPrograms,
  getPlainContract: forPrograms,
  getPlainContract30: forPrograms,
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

/** An operation that has a verb, with its description from the contract. */
export interface VerbOperation extends Verb, ManualPage {
  readonly id: OperationId;
}

const pages: { readonly [Id in OperationId]: ManualPage } = manual;

/** Every operation with a verb, most useful first. */
export const verbOperations: readonly VerbOperation[] = Object.entries(verbs).flatMap(([id, entry]) =>
  'why' in entry ? [] : [{ id: id as OperationId, ...entry, ...pages[id as OperationId] }],
);

/** The operations of a verb: one, and those selected by a switch. Empty when the verb is unknown. */
export function findVerb(verb: string): readonly VerbOperation[] {
  return verbOperations.filter((each) => each.verb === verb);
}

/** The option of a parameter: `min_cap` is `min-cap`. */
export function optionOf({ name }: Parameter): string {
  return name.replaceAll('_', '-');
}

/** A verb that is no operation of the contract. */
interface OwnVerb {
  readonly summary: string;
  /** What follows it. */
  readonly usage: string;
  readonly example: readonly string[];
  /** True where it takes no options but those that say the format. */
  readonly formatsOnly: boolean;
}

/** The verbs that are no operation of the contract, in the order of the help. */
export const ownVerbs: Readonly<Record<string, OwnVerb>> = {
  price: {
    summary: 'What a verb would cost, or what everything costs',
    usage: '[<verb> ...]',
    example: ['deals', '--state', 'OH'],
    formatsOnly: false,
  },
  wallet: {
    summary: 'Who pays, where, what was spent, and what is open',
    usage: '',
    example: [],
    formatsOnly: true,
  },
  buy: {
    summary: 'Anything, by its path and query',
    usage: '<path>',
    example: ['/api/deals?state=OH&limit=5'],
    formatsOnly: false,
  },
};

/** Everything that there is help for. */
export const helpTopics: readonly string[] = [
  ...new Set([...verbOperations.map(({ verb }) => verb), ...Object.keys(ownVerbs)]),
];

/** An option of every verb. */
interface GeneralOption {
  /** What stands for its value; undefined for a switch. */
  readonly value?: string;
  readonly description: string;
}

/** The options of every verb, in the order of the help. */
export const generalOptions = {
  table: { description: 'For people. Default on a terminal.' },
  json: { description: 'The body as it came. Default anywhere else.' },
  ndjson: { description: 'A line of JSON for each record, as the pages come.' },
  csv: { description: 'The records as CSV (RFC 4180).' },
  all: { description: 'The further pages too. They are free.' },
  'dry-run': { description: 'The price alone. Nothing is signed.' },
  max: {
    value: '<usd>',
    description:
      'The highest price that is paid without a question. Default 0.10. Where nobody can be asked, nothing dearer is ' +
      'paid.',
  },
  help: { description: 'What can be said, with an example.' },
} as const satisfies Readonly<Record<string, GeneralOption>>;

export type Format = 'table' | 'json' | 'ndjson' | 'csv';
export const formats: readonly Format[] = ['table', 'json', 'ndjson', 'csv'];
