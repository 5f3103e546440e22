import { createDraw, type Draw } from '../data/seeded-draw.js';
import { dayNumberOf, dayOfNumber } from './day-number.js';
import type { DemoCounty } from './demo-counties.js';
import { createDemoNames } from './demo-names.js';
import { createOtherProperty, readPropertiesForSale, type DemoProperty } from './demo-property.js';

/** A sheriff sale as of a day. Money in whole USD. */
export interface DemoSale {
  /** The sheriff's number. */
  readonly number: number;
  readonly caseNumber: string;
  readonly property: DemoProperty;
  /** YYYY-MM-DD; later after an adjournment. */
  readonly saleDate: string;
  readonly status: DemoSaleStatus;
  /** Latest first. Dates are the sale's, as on sheriffs' sites, not the day of the decision. */
  readonly history: readonly { readonly status: DemoSaleStatus; readonly date: string }[];
  readonly appraised: number;
  readonly openingBid: number;
  readonly judgment: number;
  readonly plaintiff: string;
  readonly defendant: string;
  readonly attorney: string;
}

export type DemoSaleStatus = 'scheduled' | 'adjourned' | 'withdrawn' | 'cancelled' | 'sold' | 'no_bid';

const weeksBack = 3;
const weeksAhead = 8;
const perWeek = 4;
const adjournedDays = 28;
/** Lower-numbered properties are the ones with unpaid taxes. */
const firstOther = 80;
const others = 200;

/**
 * A county's sheriff sales as of a day of its calendar (YYYY-MM-DD): the last three weeks and the next eight, four a
 * week. Over the days, sales are held, adjourned, withdrawn and canceled. Pure.
 */
export function createSales(county: DemoCounty, day: string): readonly DemoSale[] {
  const today = dayNumberOf(day);
  // 1970-01-01 was a Thursday.
  const week = Math.floor((today + 3) / 7);
  const forSale = readPropertiesForSale(county);
  const first = (week - weeksBack) * perWeek;
  return Array.from({ length: (weeksBack + weeksAhead) * perWeek }, (_, index) => {
    const number = first + index;
    const firstDay = Math.floor(number / perWeek) * 7 - 3 + (Number(county.countyFips) % 5);
    return createSale(county, number, firstDay, today, forSale);
  });
}

function createSale(
  county: DemoCounty,
  number: number,
  firstDay: number,
  today: number,
  forSale: readonly DemoProperty[],
): DemoSale {
  const draw = createDraw(Number(county.countyFips) + 1, number);
  const property = propertyOf(county, number, forSale);
  const { owner, plaintiff, attorney } = createDemoNames(draw);
  const appraised = Math.round((property.value * draw.between(0.9, 1.3)) / 1000) * 1000;
  // A first sale in Ohio opens at two thirds of the appraisal, later ones lower.
  const share = draw.pick([2 / 3, 2 / 3, 0.55, 0.4, 0.3]);
  return {
    number: 700_000 + number,
    caseNumber: `CV-${dayOfNumber(firstDay - 300).slice(2, 4)}-${String(100_000 + number)}`,
    property,
    ...becomes(draw, firstDay, today),
    appraised,
    openingBid: Math.round(appraised * share),
    judgment: Math.round(property.value * draw.between(0.3, 1.1)),
    plaintiff,
    defendant: `${owner}, ET AL.`,
    attorney,
  };
}

/** One in three is for sale on a marketplace; one in eight of the others owes taxes. */
function propertyOf(county: DemoCounty, number: number, forSale: readonly DemoProperty[]): DemoProperty {
  const offered = number % 3 === 0 ? forSale[(number / 3) % forSale.length] : undefined;
  return (
    offered ?? createOtherProperty(county, number % 8 === 5 ? number % firstOther : firstOther + (number % others))
  );
}

/** The outcome of a sale as of a day. */
function becomes(draw: Draw, firstDay: number, today: number): Pick<DemoSale, 'saleDate' | 'status' | 'history'> {
  const fate = draw.fraction();
  const isBought = draw.fraction() < 0.6;
  const history: { status: DemoSaleStatus; date: string }[] = [{ status: 'scheduled', date: dayOfNumber(firstDay) }];
  let saleDay = firstDay;
  const add = (from: number, status: DemoSaleStatus, on: number): void => {
    if (today >= from) history.unshift({ status, date: dayOfNumber(on) });
  };
  if (fate < 0.12) add(firstDay - 9, 'withdrawn', firstDay);
  else if (fate < 0.22) add(firstDay - 4, 'cancelled', firstDay);
  else {
    if (fate < 0.4 && today >= firstDay - 6) {
      saleDay += adjournedDays;
      add(firstDay - 6, 'adjourned', saleDay);
    }
    add(saleDay + 1, isBought ? 'sold' : 'no_bid', saleDay);
  }
  return { saleDate: dayOfNumber(saleDay), status: history[0]?.status ?? 'scheduled', history };
}
