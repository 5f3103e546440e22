import { sourceNameOf } from '../counties/county-deliveries.js';
import { createSales } from '../counties/create-sales.js';
import { dayNumberOf, dayOfNumber } from '../counties/day-number.js';
import { type DemoCounty, demoCounties } from '../counties/demo-counties.js';
import { demonstrationSize } from './create-demo-listing.js';
import { createDraw } from './seeded-draw.js';

/** The demonstration has been on the market for so long when it begins. */
export const pastDays = 30;

/** What a marketplace showed of a listing before the first day. Days count backward from it. */
export interface ListingPast {
  readonly sourceKey: string;
  readonly seenDaysAgo: number;
  /** When its present offer began. */
  readonly offeredDaysAgo: number;
  readonly relisted: boolean;
  /** Oldest first, each as a multiple of the present price, which is the last. */
  readonly prices: readonly PastPrice[];
  /** When it was gone for less than a week, and from when it was there again. */
  readonly absence?: { readonly daysAgo: number; readonly untilDaysAgo: number };
}

interface PastPrice {
  readonly daysAgo: number;
  readonly untilDaysAgo: number;
  readonly multiple: number;
}

/** The past of every listing, under both keys that it may have. */
export function createListingPasts(): readonly ListingPast[] {
  return Array.from({ length: demonstrationSize.count }, (_, index) => index).flatMap((index) => {
    const past = createListingPast(index);
    const key = `D${String(index).padStart(6, '0')}`;
    return [key, `L-${key}`].map((sourceKey) => ({ sourceKey, ...past }));
  });
}

/** A quarter were cut up to three times; others went and came back, or were mistyped for two days. */
function createListingPast(index: number): Omit<ListingPast, 'sourceKey'> {
  const draw = createDraw(demonstrationSize.seed + 1, index);
  const seen = draw.fraction() < 0.5 ? pastDays : draw.whole(0, pastDays);
  const kind = seen < 15 ? 1 : draw.fraction();
  const middle = Math.floor(seen / 2);
  const whole = { seenDaysAgo: seen, offeredDaysAgo: seen, relisted: false };
  if (kind < 0.25) {
    const [count, step] = [draw.whole(1, 3), draw.between(0.02, 0.06)];
    const steps = Array.from({ length: count + 1 }, (_, done) => ({
      daysAgo: Math.round(seen * (1 - done / (count + 1))),
      multiple: (1 - step) ** (done - count),
    }));
    return { ...whole, prices: untilTheNext(steps) };
  }
  if (kind < 0.29) {
    const mistyped = { daysAgo: middle, multiple: 10 };
    const mended = { daysAgo: middle - 2, multiple: 1 };
    return { ...whole, prices: untilTheNext([{ daysAgo: seen, multiple: 1 }, mistyped, mended]) };
  }
  if (kind < 0.33) {
    const absence = { daysAgo: middle + 1, untilDaysAgo: middle - 1 };
    return { ...whole, relisted: true, absence, prices: [{ daysAgo: seen, untilDaysAgo: 0, multiple: 1 }] };
  }
  if (kind < 0.37) {
    // Gone for more than a week: another offer.
    const former = { daysAgo: seen, untilDaysAgo: middle + 1, multiple: draw.between(1.02, 1.08) };
    const present = { daysAgo: Math.max(0, middle - 8), untilDaysAgo: 0, multiple: 1 };
    return { ...whole, offeredDaysAgo: present.daysAgo, relisted: true, prices: [former, present] };
  }
  return { ...whole, prices: [{ daysAgo: seen, untilDaysAgo: 0, multiple: 1 }] };
}

function untilTheNext(prices: readonly Omit<PastPrice, 'untilDaysAgo'>[]): readonly PastPrice[] {
  return prices.map((price, index) => ({ ...price, untilDaysAgo: (prices[index + 1]?.daysAgo ?? -1) + 1 }));
}

/** What a county showed of a sale before the first day: its statuses and dates, oldest first. */
export interface SalePast {
  readonly sourceName: string;
  readonly sourceKey: string;
  readonly statuses: readonly { readonly daysAgo: number; readonly status: string; readonly saleDate: string }[];
}

/** The past of every sale, up to the day (YYYY-MM-DD). */
export function createSalePasts(day: string): readonly SalePast[] {
  return demoCounties
    .filter(({ delivers }) => delivers.includes('auctions'))
    .flatMap((county) => createSalePastsOf(county, day));
}

function createSalePastsOf(county: DemoCounty, day: string): readonly SalePast[] {
  const statuses = new Map<number, SalePast['statuses'][number][]>();
  for (let daysAgo = pastDays; daysAgo >= 0; daysAgo -= 1) {
    for (const { number, status, saleDate } of createSales(county, dayOfNumber(dayNumberOf(day) - daysAgo))) {
      const known = statuses.get(number) ?? [];
      const last = known.at(-1);
      if (last?.status !== status || last.saleDate !== saleDate) known.push({ daysAgo, status, saleDate });
      statuses.set(number, known);
    }
  }
  const sourceName = sourceNameOf(county, 'sheriff-sales');
  return [...statuses].map(([number, known]) => ({ sourceName, sourceKey: `F-${number}`, statuses: known }));
}
