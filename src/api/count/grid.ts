import { Decimal } from 'decimal.js';
import { milesFrom, toPoint } from '../../feeds/query/map-point.js';
import { readCenter } from '../data/place-from-query.js';

/** Values of a query's parameters by name. */
export type QueryValues = Readonly<Record<string, unknown>>;

/** The values of a grid next to a value: the last that is not above it, and the first that is not below it. */
interface Cell<Value> {
  readonly below: Value;
  readonly above: Value;
}

interface Widened {
  readonly widened: QueryValues;
  readonly tightened: QueryValues | undefined;
}

type NumberGrid = (value: Decimal) => Cell<Decimal>;
type DateGrid = (value: string) => Cell<string>;

/**
 * Puts the thresholds of a query on a grid, so that no number of questions tells a record's own value: a wider
 * query, which matches all that this one does, and a narrower one; undefined where no value of the grid is as narrow.
 * Parameters without a grid stay as they are.
 * Source: docs/decisions/contract.md.
 */
export function putOnGrid(query: QueryValues): Widened {
  const [widened, tightened]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const [name, value] of Object.entries(query)) {
    const { below, above } = cellOf(name, value);
    const isMost = name.startsWith('max_') || name === 'to_date';
    widened[name] = isMost ? above : below;
    tightened[name] = isMost ? below : above;
  }
  const circle = circleOnGrid(query);
  if (circle === undefined) return { widened, tightened };
  const { near, wider, narrower } = circle;
  return {
    widened: { ...widened, near, radius: wider },
    tightened: narrower === undefined ? undefined : { ...tightened, near, radius: narrower },
  };
}

/** Where the cell of a value begins, on the grid of a parameter. */
export function startOfCell(name: string, value: unknown): unknown {
  return cellOf(name, value).below;
}

function cellOf(name: string, value: unknown): Cell<unknown> {
  const [ofNumber, ofDate] = [numberGrids[name], dateGrids[name]];
  if (typeof value === 'string' && ofDate !== undefined) return ofDate(value);
  if (typeof value !== 'number' || ofNumber === undefined) return { below: value, above: value };
  const { below, above } = ofNumber(new Decimal(value));
  return { below: below.toNumber(), above: above.toNumber() };
}

/** Miles. The last one only widens the greatest radius that can be asked for. */
const radii = [5, 10, 25, 50, 100, 250];
/** Degrees. */
const centerStep = 0.05;
/** What rounding may add to a distance, miles. */
const slack = 0.01;

/** Moves the center of a circle to the grid: the wider circle holds it whole, and it holds the narrower one. */
function circleOnGrid({ near, radius = 10 }: QueryValues) {
  const center = typeof near === 'string' ? readCenter(near) : undefined;
  if (typeof center !== 'object') return undefined;
  const move = (degrees: number): number => Number((Math.round(degrees / centerStep) * centerStep).toFixed(2));
  const moved = { latitude: move(center.latitude), longitude: move(center.longitude) };
  const away = milesFrom(moved, toPoint(center.latitude, center.longitude)) + slack;
  return {
    near: `${moved.latitude},${moved.longitude}`,
    wider: radii.find((miles) => miles >= Number(radius) + away) ?? 250,
    narrower: radii.findLast((miles) => miles <= Number(radius) - away),
  };
}

function each(step: number): NumberGrid {
  return (value) => {
    const steps = value.div(step);
    return { below: steps.floor().times(step), above: steps.ceil().times(step) };
  };
}

/** 25,000 below a million, 100,000 from there on. */
const prices: NumberGrid = (value) => {
  const { below } = each(100_000)(value);
  return below.gte(1_000_000) ? each(100_000)(value) : each(25_000)(value);
};

/** 1, 2 and 5 times a power of ten, and nothing below one. */
const amounts: NumberGrid = (value) => {
  if (value.lt(1)) return { below: new Decimal(0), above: new Decimal(value.isZero() ? 0 : 1) };
  const power = new Decimal(10).pow(value.e);
  const marks = [1, 2, 5, 10].map((mark) => power.times(mark));
  return among(marks)(value);
};

/** Marks; below the first is 0, above the last is no bound. */
function among(marks: readonly Decimal[]): NumberGrid {
  return (value) => ({
    below: marks.findLast((mark) => mark.lte(value)) ?? new Decimal(0),
    above: marks.find((mark) => mark.gte(value)) ?? new Decimal(Number.MAX_SAFE_INTEGER),
  });
}

const units = among([1, 2, 3, 4, 5, 10, 20, 50, 100, 100_000].map((mark) => new Decimal(mark)));

const numberGrids: Readonly<Record<string, NumberGrid>> = {
  min_price: prices,
  max_price: prices,
  min_price_per_unit: each(10_000),
  max_price_per_unit: each(10_000),
  min_price_cut: each(5_000),
  min_price_cut_pct: each(1),
  min_amount: amounts,
  min_appraised: amounts,
  max_opening_bid: amounts,
  min_cap: each(0.5),
  min_cap_underwritten: each(0.5),
  max_cap_gap: each(0.5),
  min_dscr: each(0.1),
  min_confidence: each(0.1),
  min_score: each(5),
  min_units: units,
  max_units: units,
  min_year_built: each(10),
  max_year_built: each(10),
  min_days_on_feed: each(7),
  max_days_on_feed: each(7),
};

const dayMs = 86_400_000;

/** Days from Monday to Monday: a week begins on the lower one and ends the day before the upper one. */
function weekOf(date: string): readonly [mondayMs: number, isMonday: boolean] {
  const dateMs = Date.parse(`${date}T00:00:00Z`);
  const sinceMonday = (new Date(dateMs).getUTCDay() + 6) % 7;
  return [dateMs - sinceMonday * dayMs, sinceMonday === 0];
}

const mondays: DateGrid = (date) => {
  const [mondayMs, isMonday] = weekOf(date);
  return { below: dateOf(mondayMs), above: dateOf(isMonday ? mondayMs : mondayMs + 7 * dayMs) };
};

const sundays: DateGrid = (date) => {
  const { below, above } = mondays(dateOf(Date.parse(`${date}T00:00:00Z`) + dayMs));
  return { below: dayBefore(below), above: dayBefore(above) };
};

/** Whole days or hours of moments, which may be written as dates. */
function moments(stepMs: number): DateGrid {
  return (moment) => {
    const steps = Date.parse(moment) / stepMs;
    const write = (step: number): string => new Date(step * stepMs).toISOString();
    return { below: write(Math.floor(steps)), above: write(Math.ceil(steps)) };
  };
}

const dateGrids: Readonly<Record<string, DateGrid>> = {
  from_date: mondays,
  to_date: sundays,
  first_seen_since: moments(dayMs),
  price_cut_since: moments(dayMs),
  since: moments(dayMs / 24),
};

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function dayBefore(date: string): string {
  return dateOf(Date.parse(`${date}T00:00:00Z`) - dayMs);
}
