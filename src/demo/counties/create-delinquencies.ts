import { createDraw } from '../data/seeded-draw.js';
import { createDemoNames } from './demo-names.js';
import type { DemoCounty } from './demo-counties.js';
import { createOtherProperty, readPropertiesForSale, type DemoProperty } from './demo-property.js';
import { dayNumberOf } from './day-number.js';

/** Unpaid taxes on one property on a day. */
export interface DemoDelinquency {
  /** From 1; stays the same for the property. */
  readonly number: number;
  readonly property: DemoProperty;
  readonly owner: string;
  /** Cents by tax year, latest first. */
  readonly owed: readonly { readonly year: number; readonly cents: number }[];
}

const perCounty = 72;
/** One in this many is on a property for sale. */
const forSaleEvery = 6;

/**
 * A county's unpaid taxes on a day of its calendar (YYYY-MM-DD). From day to day a few are paid and disappear, a few
 * return, and amounts grow. Pure.
 */
export function createDelinquencies(county: DemoCounty, day: string): readonly DemoDelinquency[] {
  const forSale = readPropertiesForSale(county);
  const today = dayNumberOf(day);
  return Array.from({ length: perCounty }, (_, index) => index).flatMap((index) => {
    const draw = createDraw(Number(county.countyFips), index);
    const periodDays = draw.whole(40, 300);
    const phase = (today + draw.whole(0, periodDays)) % periodDays;
    // A third are paid during the last tenth of each period.
    if (draw.fraction() < 0.33 && phase >= periodDays * 0.9) return [];
    const offered = index % forSaleEvery === 0 ? forSale[index / forSaleEvery] : undefined;
    const property = offered ?? createOtherProperty(county, index);
    const yearly = property.value * draw.between(0.012, 0.034);
    const latest = Number(day.slice(0, 4)) - 2;
    const owed = Array.from({ length: draw.whole(1, 6) }, (_, back) => ({
      year: latest - back,
      cents: Math.round(yearly * (1 + 0.08 * back) * 100),
    }));
    return [{ number: index + 1, property, owner: createDemoNames(draw).owner, owed }];
  });
}

/** Total debt over all years, in cents. */
export function sumOwed({ owed }: DemoDelinquency): number {
  return owed.reduce((sum, { cents }) => sum + cents, 0);
}
