import type { AuctionColumns, AuctionFilter } from '../../feeds/query/auction-kind.js';
import type { DealColumns, DealFilter } from '../../feeds/query/deal-kind.js';
import type { LeadColumns, LeadFilter } from '../../feeds/query/lead-kind.js';
import type { PlaceColumns } from '../../feeds/query/place-rules.js';
import type { SignalColumns, SignalFilter } from '../../feeds/query/signal-kind.js';
import { findCountyName } from '../../places/metros/counties.js';
import { metros, slugOf } from '../../places/metros/metros.js';
import { stateFips } from '../../places/metros/states.js';
import { startOfCell } from './grid.js';

/** A band of one value: its name and filter. */
interface Band<Filter> {
  readonly name: string;
  readonly filter: Filter;
  /** Whether the filter keeps the higher bands too. */
  readonly isOpen: boolean;
}

/** What a free count reveals: bands, never exact values. Source: docs/decisions/contract.md. */
export interface CountBands<Columns, Filter> {
  readonly bands: Readonly<Record<string, readonly Band<Filter>[]>>;
  /** A record in bands. */
  sampleRow(record: Columns): Readonly<Record<string, string>>;
  /** The grid cell of the feed's sort value; order within a cell reveals nothing. */
  cellOf(record: Columns): unknown;
}

/** Bands between marks, lowest first; the first one holds what is below the first mark. */
interface Scale {
  readonly marks: readonly number[];
  readonly names: readonly string[];
}

/** @param last the name of the last band; default `over_` and the last mark */
function scale(marks: readonly number[], last?: string): Scale {
  const between = marks.slice(1).map((mark, index) => `${marks[index]}_to_${mark}`);
  return { marks, names: [`under_${marks[0]}`, ...between, last ?? `over_${marks.at(-1)}`] };
}

const prices = scale([100_000, 200_000, 400_000, 800_000, 1_600_000]);
const caps = scale([5, 7, 8.5, 10]);
const ratios = scale([1, 1.25, 1.5], '1.5_and_more');
const amounts = scale([1_000, 5_000, 20_000, 100_000]);
const values = scale([50_000, 100_000, 200_000, 500_000]);
const unitCounts = ['1', '2', '3 to 4', '5 to 10', '11 to 20', '21 to 50', '51 to 100', 'over 100'] as const;
const unitMarks = [2, 3, 5, 11, 21, 51, 101];

/** The bands of a number in hundredths. */
function bandsOf<Filter>({ marks, names }: Scale, atLeast: (hundredths: number) => Filter): Band<Filter>[] {
  return names.map((name, index) => ({
    name,
    filter: atLeast(index === 0 ? Number.MIN_SAFE_INTEGER : (marks[index - 1] ?? 0) * 100),
    isOpen: true,
  }));
}

function eachOf<Name extends string, Filter>(names: readonly Name[], only: (name: Name) => Filter): Band<Filter>[] {
  return names.map((name) => ({ name, filter: only(name), isOpen: false }));
}

/** The name of a number's band; nothing for a value that a record lacks. */
function nameOf(name: string, { marks, names }: Scale, hundredths: number | undefined): Record<string, string> {
  if (hundredths === undefined) return {};
  return { [name]: names[marks.filter((mark) => mark * 100 <= hundredths).length] ?? '' };
}

/** The number of records in each band, from the counts of their filters. */
export function sizesOfBands<Filter>(bands: readonly Band<Filter>[], counts: readonly number[]): readonly number[] {
  return bands.map(({ isOpen }, index) => (counts[index] ?? 0) - (isOpen ? (counts[index + 1] ?? 0) : 0));
}

const eachState = eachOf([...stateFips.keys()], (state) => ({ state: [state] }));

function placeOf({ state, countyFips = '' }: Pick<PlaceColumns, 'state' | 'countyFips'>): Record<string, string> {
  const county = findCountyName(countyFips);
  return { ...(county !== undefined && { county }), state };
}

const statuses = ['Hot', 'Warm', 'Pass'] as const;

export const dealBands: CountBands<DealColumns, DealFilter> = {
  bands: {
    list_price: bandsOf(prices, (minPriceCents) => ({ minPriceCents })),
    cap_rate: bandsOf(caps, (minCapHundredths) => ({ minCapHundredths })),
    dscr: bandsOf(ratios, (minDscrHundredths) => ({ minDscrHundredths })),
    rental_status: eachOf(statuses, (status) => ({ status: [status] })),
    metro: eachOf(metros.map(slugOf), (metro) => ({ metro: [metro] })),
  },
  sampleRow: ({ city, state, units, priceCents, capHundredths, rentalStatus }) => ({
    ...{ city, state },
    ...(units !== undefined && { units: unitCounts[unitMarks.filter((mark) => mark <= units).length] ?? '' }),
    ...nameOf('list_price', prices, priceCents),
    ...nameOf('cap_rate', caps, capHundredths),
    rental_status: rentalStatus,
  }),
  cellOf: ({ dealScore }) => startOfCell('min_score', dealScore),
};

export const signalBands: CountBands<SignalColumns, SignalFilter> = {
  bands: { amount: bandsOf(amounts, (minAmountCents) => ({ minAmountCents })), state: eachState },
  sampleRow: (signal) => ({ ...placeOf(signal), ...nameOf('amount', amounts, signal.amountCents) }),
  cellOf: ({ amountCents }) => startOfCell('min_amount', amountCents / 100),
};

export const auctionBands: CountBands<AuctionColumns, AuctionFilter> = {
  bands: { appraised_value: bandsOf(values, (minAppraisedCents) => ({ minAppraisedCents })) },
  sampleRow: (sale) => ({ ...placeOf(sale), ...nameOf('appraised_value', values, sale.appraisedCents) }),
  cellOf: ({ saleDate }) => startOfCell('from_date', saleDate),
};

const leadTypes = ['sheriff_sale_auction', 'tax_delinquent_owner', 'motivated_listing'];

export const leadBands: CountBands<LeadColumns, LeadFilter> = {
  bands: { lead_type: eachOf(leadTypes, (leadType) => ({ leadType })), state: eachState },
  sampleRow: (lead) => ({ lead_type: lead.leadType, ...placeOf(lead) }),
  cellOf: ({ leadScore }) => startOfCell('min_score', leadScore),
};
