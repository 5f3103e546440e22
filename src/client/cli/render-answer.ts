import type {
  Changes,
  CountedMatches,
  Coverage,
  ExclusiveLead,
  FeedCoverage,
  Lookup,
  Meta,
  PaymentStatus,
  ReportPreview,
  ShortMeta,
  Sources,
} from '../../../generated/types.gen.js';
import { wrapText } from '../../terminal/render-section.js';
import { day, dollars, moment } from '../../wire/figures.js';
import { operationNames } from '../../wire/operation-names.js';
import { plainText } from '../plain-text.js';
import { findOperation, type OperationId } from '../wire/operation-paths.js';
import type { Row } from '../wire/records.js';
import { chooseColumns, type Column } from './columns.js';
import { formatUsd } from '../payments/usd.js';
import { labelOf } from './describe-purchase.js';
import { renderTable, type TableLook } from './render-table.js';
import { sectionStates } from '../../wire/code-words.js';
import { matchKinds, sectionNames, wordsOf } from './words.js';

/** An answer to a person: sentences, then perhaps a table of rows. */
interface Answer {
  readonly lines: readonly string[];
  readonly columns?: readonly Column[];
  readonly rows?: readonly Row[];
}

const column = (field: string, title: string): Column => ({ field, title, isText: true });
const number = (field: string, title: string): Column => ({ field, title });

/** The answers of operations that are no list of records, typed by the contract. */
const answers: { readonly [Id in OperationId]?: (body: never) => Answer } = {
  getMeta: (meta: Meta | ShortMeta) => ('feeds' in meta ? describeFeeds(meta) : describeMeta(meta)),
  countChanges: ({ deals, counted_from: from, next_since: next }: Changes) => ({
    lines: [
      `Since ${moment(from)}: ${deals.added} deals added, ${deals.removed} removed, ${deals.repriced} repriced.`,
      `Next time: deals-feed changes ${next}`,
    ],
    columns: [
      column('state', 'State'),
      number('added', 'Added'),
      number('removed', 'Removed'),
      number('repriced', 'Repriced'),
    ],
    rows: deals.states,
  }),
  listSources: ({ sources }: Sources) => ({
    lines: [`${sources.length} sources, ${sources.filter(({ status }) => status === 'fresh').length} of them fresh.`],
    columns: [
      column('name', 'Source'),
      column('delivers', 'Delivers'),
      { ...column('status', 'Status'), format: wordsOf({}) },
      number('records', 'Records'),
      { ...column('last_success', 'Read'), format: moment, isWhole: true },
      { ...column('next_run', 'Next'), format: moment, isWhole: true },
    ],
    rows: sources,
  }),
  getCoverage: ({ counties }: Coverage) => ({
    lines: [`${counties.length} counties.`],
    columns: [
      column('state', 'State'),
      column('county', 'County'),
      column('deals', 'Deals'),
      column('signals', 'Tax debts'),
      column('auctions', 'Sheriff sales'),
    ],
    rows: counties.map(({ state, county, feeds }) => ({
      state,
      county,
      ...Object.fromEntries(
        Object.entries({ deals: feeds.deals, signals: feeds.signals, auctions: feeds.auctions }).flatMap(
          ([feed, read]) => (read === undefined ? [] : [[feed, describeReading(read)]]),
        ),
      ),
    })),
  }),
  lookUpAddress: ({ normalized, query, matches }: Lookup) => ({
    lines: [`${matches.length} found at ${normalized ?? query}.`],
    columns: [
      column('entity', 'What'),
      column('match', 'Match'),
      number('confidence', 'Sure'),
      column('address', 'Address'),
      column('says', 'Says'),
      { ...column('id', 'Id'), isWhole: true },
    ],
    rows: matches.map((match) => ({
      ...match,
      entity: wordsOf(entities)(match.entity),
      match: wordsOf(matchKinds)(match.match_type),
      ...factsOf(match.record as unknown as Row),
    })),
  }),
  buyExclusiveLead: ({ exclusive_until: until, lead }: ExclusiveLead) => ({
    lines: [`This lead is yours alone until ${moment(until)}.`],
    columns: chooseColumns([lead]),
    rows: [lead],
  }),
  countMatches: ({ of, matches: { at_least: least, at_most: most }, price, buy }: CountedMatches) => ({
    lines: [
      `${least === most ? most : `${least} to ${most}`} ${wordsOf({})(of)} match.`,
      ...(most === 0 ? [] : [`All of them: deals-feed buy "${buy}", ${price}`]),
    ],
  }),
  previewReport: ({ city, state, report_price: price, sections, id }: ReportPreview) => ({
    lines: [`The report of a deal in ${city}, ${state} has, for ${price}:`, `deals-feed report ${id}`],
    columns: [column('name', 'Section'), column('state', 'Has'), column('reasons', 'Absent because')],
    rows: sections.map(({ name, state: has, reasons }) => ({
      name: wordsOf(sectionNames)(name),
      state: wordsOf(sectionStates)(has),
      reasons: reasons.map(wordsOf({})).join(', '),
    })),
  }),
  getPayment: ({ state, amount, network, transaction, payment_id: id, redelivery_until: until }: PaymentStatus) => ({
    lines: [
      `The payment of ${formatUsd(BigInt(amount))} on ${labelOf(network)} is ${paymentStates[state]}.`,
      ...(transaction === null ? [] : [`Transaction ${transaction}`]),
      ...(until === null ? [] : [`Its reply again, free until ${moment(until)}: deals-feed payment-reply ${id}`]),
    ],
  }),
};

/** An answer of an operation for a terminal; undefined where it has no words of its own. */
export function renderAnswer(path: string, body: unknown, look: TableLook): string | undefined {
  const id = findOperation(path);
  const answer = id === undefined ? undefined : answers[id];
  return answer && renderLines(answer(body as never), look);
}

/** The price list: what each verb costs. */
export function renderPrices(pricing: Meta['pricing'], look: TableLook): string {
  return renderLines({ lines: [], ...priceTable(pricing) }, look);
}

function describeMeta({ name, coverage, signals_feed: signals, auctions_feed: auctions, ...rest }: Meta): Answer {
  const { active_records: active, cities, hot, warm } = coverage;
  return {
    lines: [
      `${name}: ${active} deals in ${cities} cities, ${hot} Hot, ${warm} Warm.`,
      `${signals.coverage.total_signals} tax debts, ${auctions.coverage.upcoming_sales} upcoming sheriff sales.`,
      rest.refresh_cadence,
    ],
    ...priceTable(rest.pricing),
  };
}

function describeFeeds({ name, guarantee, feeds }: ShortMeta): Answer {
  return {
    lines: [name, guarantee],
    columns: [
      column('feed', 'Feed'),
      number('records', 'Records'),
      number('price', 'Price'),
      { ...column('as_of', 'As of'), format: moment, isWhole: true },
    ],
    rows: Object.entries(feeds).map(([feed, each]) => ({ feed, ...each })),
  };
}

const paymentStates: Readonly<Record<PaymentStatus['state'], string>> = {
  claimed: 'not settled yet',
  settled: 'settled',
  released: 'released; it can be charged no more',
};

const entities: Readonly<Record<string, string>> = { deal: 'deal', signal: 'tax debt', auction: 'sheriff sale' };

function describeReading({ status, as_of: asOf }: FeedCoverage): string {
  return asOf === null ? wordsOf({})(status) : `${wordsOf({})(status)} ${day(asOf)}`;
}

/** The address of a matched record, and what it is for. */
function factsOf(record: Row): Row {
  const text = (field: string): string | undefined =>
    typeof record[field] === 'string' ? (record[field] as string) : undefined;
  const [price, owed, sale] = [text('list_price'), text('amount'), text('sale_date')];
  const says = [
    ...(price === undefined ? [] : [`asks ${dollars(price)}`]),
    ...(owed === undefined ? [] : [`owes ${dollars(owed)}`]),
    ...(sale === undefined ? [] : [`sale on ${day(sale)}`]),
  ];
  return { address: text('address') ?? text('property_address'), says: says.join(', ') };
}

function renderLines({ lines, columns = [], rows = [] }: Answer, look: TableLook): string {
  const told = lines.flatMap((line) => wrapText(plainText(line), look.width)).map((line) => `${line}\n`);
  return told.join('') + (rows.length === 0 ? '' : renderTable(rows, columns, look).text);
}

function priceTable(pricing: Meta['pricing']): Pick<Answer, 'columns' | 'rows'> {
  const names: Readonly<Record<string, string>> = operationNames;
  return {
    columns: [column('verb', 'Verb'), number('price', 'Price')],
    rows: Object.entries(pricing).flatMap(([call, price]) => {
      const name = names[findOperation(call.replace(/^GET /, '')) ?? ''];
      return name === undefined ? [] : [{ verb: name.replaceAll('_', '-'), price }];
    }),
  };
}
