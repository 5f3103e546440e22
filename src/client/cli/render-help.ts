import { renderSection } from '../../terminal/render-section.js';
import { buyerVariables } from '../buyer-environment.js';
import { exitCodeMeanings } from './describe-error.js';
import {
  formats,
  generalOptions,
  ownVerbs,
  findVerb,
  optionOf,
  optionsOf,
  verbOperations,
  type Parameter,
  type VerbOperation,
} from './verbs.js';

const program = 'deals-feed';

/** What `--help` prints: of the program, or of one verb. */
export function renderHelp(verb?: string): string {
  if (verb === undefined) return renderProgramHelp();
  const operation = findVerb(verb);
  return operation === undefined ? renderOwnHelp(verb) : renderVerbHelp(operation);
}

function renderProgramHelp(): string {
  const operations = verbOperations.map(({ verb, priceUsd, summary }) => [verb, priceOf(priceUsd), summary]);
  const own = Object.entries(ownVerbs).map(([verb, { summary }]) => [verb, '', summary]);
  return [
    'Small multifamily deals and county records, paid per call with x402.\nFrom a clone: npm run --silent buy -- <verb>\n',
    renderSection('', [
      [commandLine('hot-deals', [])],
      [commandLine('deals', ['--state', 'OH', '--min-cap', '8.5'])],
      [commandLine('report', ['<id>', '--max', '1.50', '--json'])],
      [`${commandLine('basic-deals', ['--all', '--csv'])} > deals.csv`],
    ]),
    renderSection('Verbs', [...operations, ...own]),
    renderSection('Options of every verb', generalRows(Object.keys(generalOptions))),
    renderSection('Environment', environment),
    renderSection(
      'Exit codes',
      Object.entries(exitCodeMeanings).map(([code, meaning]) => [code, meaning]),
    ),
    `A verb may be shortened: hot for hot-deals. ${program} <verb> --help says what else it takes.\n`,
  ].join('\n');
}

function renderVerbHelp(operation: VerbOperation): string {
  const { verb, summary, priceUsd, parameters, example } = operation;
  const required = parameters.filter(({ isRequired }) => isRequired);
  const own = parameters
    .filter(({ isRequired }) => !isRequired)
    .map((each) => [`--${optionOf(each)}${placeholderOf(each)}`, describe(each)]);
  return [
    `${summary}. ${priceUsd === null ? 'Free' : `$${priceUsd} a call`}.\n`,
    renderSection('', [[commandLine(verb, [...required.map(({ name }) => `<${name}>`), '[<option> ...]'])]]),
    renderSection(
      'Arguments',
      required.map((each) => [`<${each.name}>`, verb === 'report' ? reportedBy : describe(each)]),
    ),
    renderSection('Options', own),
    renderSection('Options of every verb', [[generalNames(optionsOf(operation))]]),
    renderSection('Examples', [[commandLine(verb, example)]]),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

const reportedBy =
  'A row of the list that was shown last, such as 3; an address in it; or the id of a deal, or how it begins.';

function renderOwnHelp(verb: string): string {
  const { summary = '', usage = '', example = [], formatsOnly = true } = ownVerbs[verb] ?? {};
  const names = formatsOnly ? formats : optionsOf();
  return [
    `${summary}.\n`,
    renderSection('', [[commandLine(verb, [usage])]]),
    renderSection('Options', generalRows(names)),
    renderSection('Examples', [[commandLine(verb, example)]]),
  ].join('\n');
}

const environment = [
  ...buyerVariables,
  ['RPC_URL', 'A node of the network that pays. It tells the balance, and whether that is below a price.'],
  [
    'PAYMENTS_DIR',
    'Where payments are kept. Default ~/.deals-feed/payments. While it is not known whether one was charged, the ' +
      'same command presents it again, and pays nothing twice.',
  ],
];

function generalNames(names: readonly string[]): string {
  return generalRows(names)
    .map(([name]) => name)
    .join(', ');
}

function generalRows(names: readonly string[]): string[][] {
  return Object.entries(generalOptions)
    .filter(([name]) => names.includes(name))
    .map(([name, option]) => [`--${name}${'value' in option ? ` ${option.value}` : ''}`, option.description]);
}

/** The contract is written for pages, where code stands between backticks. */
function describe({ name, description, values, bounds: [least, most = Infinity] = [] }: Parameter): string {
  const text = description.replaceAll('`', '');
  if (values !== undefined) return `${text} One of ${values.join(', ')}.`;
  const limits = `${least} to ${most}`;
  if (least === undefined || most > highestTold || text.includes(limits)) return text;
  // Of all parameters with bounds, it alone has a default that its description leaves out.
  return `${text} ${limits}${name === 'limit' ? `; default ${most}` : ''}.`;
}

/** A limit above is only there to keep numbers exact. */
const highestTold = 1_000_000;

/** What stands for a value, where type and values do not tell. */
const placeholders: ReadonlyMap<string, string> = new Map([
  ['usd', 'usd'],
  ['percent', 'percent'],
  ['state', 'state'],
  ['zip', 'zip'],
  ['date', 'date'],
  ['moment', 'date'],
  ['timestamp', 'moment'],
  ['center', 'place'],
  ['integer', 'number'],
  ['number', 'number'],
]);

function placeholderOf({ type, kind = '', values }: Parameter): string {
  if (type === 'boolean') return '';
  return ` <${placeholders.get(kind) ?? (values === undefined ? placeholders.get(type) : 'value') ?? 'text'}>`;
}

function priceOf(priceUsd: string | null): string {
  return priceUsd === null ? 'free' : `$${priceUsd}`;
}

function commandLine(verb: string, words: readonly string[]): string {
  const quoted = words.map((word) => (/[\s?&]/.test(word) && !/^[<[]/.test(word) ? `"${word}"` : word));
  return [program, verb, ...quoted].join(' ').trimEnd();
}
