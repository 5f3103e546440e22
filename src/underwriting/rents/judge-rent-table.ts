import { fiscalYearInForce } from './fiscal-year.js';
import { kindOf, type RentRow, type RentTable, type RentTableHeader } from './rent-table.js';

/** How a table compares with the newest complete one of its kind, by two-bedroom rents. */
export interface RentComparison {
  readonly median: number;
  /** Undefined without a former table. */
  readonly former: { readonly fiscalYear: number; readonly median: number } | undefined;
  /** The places whose rents change most, the most first. */
  readonly largest: readonly { readonly code: string; readonly before: number; readonly after: number }[];
  /** True when it holds at least 95% of the former table's places. */
  readonly isWhole: boolean;
  /** Why the table is not believed; empty when it is. */
  readonly refusals: readonly string[];
}

const shown = 10;
const wholeShare = 0.95;
/** Of the median change from one table to the next. */
const medianRange = [0.85, 1.2] as const;
/** HUD lets no rent fall by more than 10% a year; at most one place of a hundred may change by more than this. */
const placeRange = [0.8, 1.5] as const;
const outsideShare = 0.01;

/**
 * Judges the rows of a table before it is loaded. The thresholds tell a wrong file from HUD's next one. Source of the
 * rule: docs/decisions/rents.md.
 */
export function judgeRentTable(
  { table, fiscal_year: year }: Pick<RentTableHeader, 'table' | 'fiscal_year'>,
  rows: readonly RentRow[],
  { former, isPartial, on }: { readonly former: RentTable | undefined; readonly isPartial: boolean; readonly on: Date },
): RentComparison {
  const after = twoBedroomRents(rows);
  const before = twoBedroomRents(former?.list() ?? []);
  const changes = [...after].flatMap(([code, rent]) => {
    const was = before.get(code);
    return was === undefined ? [] : { code, before: was, after: rent, ratio: rent / was };
  });
  const median = medianOf(changes.map(({ ratio }) => ratio));
  const outside = changes.filter(({ ratio }) => !isWithin(ratio, placeRange));
  const isWhole = after.size >= before.size * wholeShare;
  const inForce = fiscalYearInForce(on);
  const places = kindOf({ table }) === 'zip' ? 'ZIPs' : 'counties';
  const refusals = [
    Math.abs(year - inForce) > 1 && `FY${year} is not within a year of FY${inForce}, which is in force`,
    !isWhole && !isPartial && `it has ${after.size} of ${before.size} ${places}; with --partial it is loaded as a part`,
    changes.length > 0 &&
      !isWithin(median, medianRange) &&
      `its median change of ${percent(median - 1)} is outside -15% to +20%`,
    outside.length > changes.length * outsideShare &&
      `${outside.length} of ${changes.length} ${places} change by more than -20% to +50%, first ${outside[0]?.code}`,
  ].filter((refusal) => refusal !== false);
  return {
    median: medianOf([...after.values()]),
    former: former && { fiscalYear: former.header.fiscal_year, median: medianOf([...before.values()]) },
    largest: changes
      .sort((one, other) => distance(other.ratio) - distance(one.ratio))
      .slice(0, shown)
      .map(({ code, before, after }) => ({ code, before, after })),
    isWhole,
    refusals,
  };
}

/** The lowest of each place. */
function twoBedroomRents(rows: Iterable<RentRow>): Map<string, number> {
  const rents = new Map<string, number>();
  for (const { code, rents: byBedrooms } of rows)
    rents.set(code, Math.min(byBedrooms[2], rents.get(code) ?? Number.POSITIVE_INFINITY));
  return rents;
}

/** 0 for none. */
function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}

function isWithin(value: number, [low, high]: readonly [number, number]): boolean {
  return value >= low && value <= high;
}

function distance(ratio: number): number {
  return Math.abs(Math.log(ratio));
}

/** A share with its sign: `+3%`. */
export function percent(share: number): string {
  return `${share < 0 ? '' : '+'}${Math.round(share * 100)}%`;
}

/** HUD's rents take effect on October 1, and a revision 30 days after it is published, on a working day. */
export function effectiveFrom(fiscalYear: number, published: string): string {
  const october = `${fiscalYear - 1}-10-01`;
  const after = new Date(`${published}T00:00:00Z`);
  after.setUTCDate(after.getUTCDate() + 30);
  while (after.getUTCDay() % 6 === 0) after.setUTCDate(after.getUTCDate() + 1);
  const day = after.toISOString().slice(0, 10);
  return published < october ? october : day;
}

const kinds = { safmr: 'Small Area FMRs (by ZIP)', fmr: 'FMRs (by county)' } as const;

/**
 * What to do for the rents of the year in force, from September on of the next: HUD has published them by then. One
 * sentence; undefined where all are loaded.
 */
export function adviseOnRents(tables: readonly Pick<RentTable, 'header'>[], on: Date): string | undefined {
  const september = 8;
  const year = on.getUTCFullYear() + Number(on.getUTCMonth() >= september);
  const missing = (['safmr', 'fmr'] as const).filter(
    (table) => !tables.some(({ header }) => header.table === table && header.complete && header.fiscal_year >= year),
  );
  if (missing.length === 0) return undefined;
  return (
    `Of FY${year} the ${missing.map((table) => kinds[table]).join(' and the ')} are not loaded whole: download them from ` +
    'https://www.huduser.gov/portal/datasets/fmr.html and run: npm run cli -- rents load <workbook>...'
  );
}
