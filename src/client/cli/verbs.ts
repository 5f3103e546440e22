import { manual } from '../../../generated/manual.gen.js';
import { kebabCase, type NamedId, operationNames } from '../../wire/operation-names.js';

/** A parameter, as the contract describes it. */
export interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
  /** How it is written, where type and values do not tell. */
  readonly kind?: string | undefined;
  readonly example?: string | undefined;
  /** The allowed values, if they are few. */
  readonly values?: readonly string[] | undefined;
  /** Both inclusive. */
  readonly bounds?: readonly number[] | undefined;
  readonly description: string;
}

/** An operation, as the contract describes it. */
export interface ManualPage {
  readonly summary: string;
  /** Null when it is free. */
  readonly priceUsd: string | null;
  readonly parameters: readonly Parameter[];
}

/** Example arguments of each verb. They run unchanged, except for ids and moments. */
const examples: Readonly<Record<NamedId, readonly string[]>> = {
  listDeals: ['--state', 'OH', '--min-cap', '8.5'],
  listHotDeals: ['--csv'],
  listBasicDeals: ['--state', 'OH', '--limit', '50', '--all'],
  listDealIds: [],
  listSignals: ['--has-address', '--limit', '20'],
  listAuctions: ['--include-past'],
  listLeads: ['--min-score', '40', '--max', '0.25'],
  buyExclusiveLead: ['--max', '1.00'],
  listEvents: ['--max-price', '900000'],
  lookUpAddress: ['3458 E 93rd St, Cleveland, OH 44105'],
  getReport: ['3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11', '--max', '1.50'],
  previewReport: ['3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11'],
  getMeta: [],
  getCoverage: ['--feed', 'auctions'],
  countMatches: ['deals', '--state', 'OH'],
  countChanges: ['2026-01-15T05:00:00.000Z'],
  listSources: [],
  getPayment: ['0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  getPaymentResponse: ['0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
};

/** An operation with its verb. Its options are the operation's parameters. */
export interface VerbOperation extends ManualPage {
  readonly id: NamedId;
  readonly verb: string;
  readonly example: readonly string[];
}

const pages: { readonly [Id in NamedId]: ManualPage } = manual;

/** Every operation with a verb, most useful first. */
export const verbOperations: readonly VerbOperation[] = Object.entries(examples).map(([key, example]) => {
  const id = key as NamedId;
  return { id, verb: kebabCase(operationNames[id]), example, ...pages[id] };
});

/** The operation of a verb; undefined when it is unknown. */
export function findVerb(verb: string): VerbOperation | undefined {
  return verbOperations.find((each) => each.verb === verb);
}

/** True where the command can count what a verb would sell. */
function isCounted({ id }: VerbOperation): boolean {
  const [of] = pages.countMatches.parameters;
  return of?.values?.includes(operationNames[id]) ?? false;
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
  version: {
    summary: 'The versions of this command and of its contract',
    usage: '',
    example: [],
    formatsOnly: true,
  },
  completion: {
    summary: 'A script that completes verbs and options in a shell',
    usage: 'bash|zsh|fish',
    example: ['bash'],
    formatsOnly: true,
  },
  mcp: {
    summary: 'The tools for an agent, over stdio; it pays within a budget',
    usage: '[--budget <usd>] [--max <usd>]',
    example: ['--budget', '2.00'],
    formatsOnly: true,
  },
};

/** Everything that there is help for. */
export const helpTopics: readonly string[] = [...verbOperations.map(({ verb }) => verb), ...Object.keys(ownVerbs)];

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
  all: { description: 'All rows and the further pages. They are free.' },
  wide: { description: 'Every column of a table, however wide.' },
  count: { description: 'How many records match, free, in place of buying them.' },
  full: { description: 'Every section of a report, in words.' },
  open: { description: 'Keeps a report in a file and opens the page that draws it.' },
  'dry-run': { description: 'The price alone. Nothing is signed.' },
  max: {
    value: '<usd>',
    description:
      'The highest price that is paid without a question. Default 0.10. Where nobody can be asked, nothing dearer is ' +
      'paid.',
  },
  'no-color': { description: 'No colors. So does NO_COLOR; FORCE_COLOR asks for them anywhere.' },
  help: { description: 'What can be said, with an example.' },
  version: { description: 'The versions of this command and of its contract.' },
} as const satisfies Readonly<Record<string, GeneralOption>>;

/** The general options of a verb; `undefined` stands for a path. */
export function optionsOf(operation?: VerbOperation): readonly string[] {
  const isPaged = operation === undefined || operation.parameters.some(({ name }) => name === 'limit');
  const mayBeReport = operation === undefined || ['getReport', 'getPaymentResponse'].includes(operation.id);
  const left = [
    ...(isPaged ? [] : ['all', 'wide']),
    ...(operation && isCounted(operation) ? [] : ['count']),
    ...(mayBeReport ? [] : ['full', 'open']),
  ];
  return Object.keys(generalOptions).filter((name) => !left.includes(name));
}

export type Format = 'table' | 'json' | 'ndjson' | 'csv';
export const formats: readonly Format[] = ['table', 'json', 'ndjson', 'csv'];
