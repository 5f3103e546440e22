import { absent, isKnown, known, type Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';
import { findMetroByCounty } from '../../places/metros/metros.js';
import { Exact, publish } from '../../underwriting/decimal.js';

/** A deal's figures for the market comparison, as the integers by which the feed ranks. */
export interface ComparedDeal {
  readonly id: string;
  /** Asking price in cents. */
  readonly priceCents?: number | undefined;
  /** Advertised cap rate in hundredths of a percent. */
  readonly capHundredths?: number | undefined;
  readonly units?: number | undefined;
  readonly dealScore: number;
}

export type MarketMeasureName = 'cap_rate' | 'price_per_unit' | 'list_price' | 'deal_score';

/** A deal's position among the deals of its metro in one measure. */
export interface MarketMeasure {
  readonly measure: MarketMeasureName;
  readonly unit: 'percent' | 'usd' | 'points';
  /** Number of deals that have the figure. */
  readonly count: number;
  readonly median: Maybe<DecimalText>;
  readonly standing: Maybe<Rank>;
}

/** A deal's rank in one measure. */
export interface Rank {
  readonly value: DecimalText;
  /** Number of deals with a lower figure; `equal` counts those with the same figure, this deal included. */
  readonly below: number;
  readonly equal: number;
  /** (below + equal / 2) / count, percent with one digit. */
  readonly percentile: DecimalText;
}

/** The deals of the same metro, this deal included. Without a metro there are no measures. */
export interface Market {
  /** Name and state. */
  readonly metro: Maybe<string>;
  readonly deals: Maybe<number>;
  readonly measures: readonly MarketMeasure[];
}

/**
 * Compares a deal with the deals of its county. Absent when the county is unknown, not shown, or in no covered metro.
 */
export function compareWithMarket(
  dealId: string,
  countyFips: Maybe<string>,
  countyDeals: readonly ComparedDeal[],
): Market {
  const metro = isKnown(countyFips) ? findMetroByCounty(countyFips.value) : undefined;
  if (metro === undefined) {
    const isTold = isKnown(countyFips) || countyFips.absent === 'not_collected';
    const reason = isTold ? absent('not_applicable') : countyFips;
    return { metro: reason, deals: reason, measures: [] };
  }
  const own = countyDeals.find(({ id }) => id === dealId);
  return {
    metro: known(`${metro.name}, ${metro.state}`),
    deals: known(countyDeals.length),
    measures: measures.map(({ measure, unit, read }) => {
      const figures = countyDeals.flatMap((deal) => read(deal) ?? []);
      const value = own && read(own);
      return {
        measure,
        unit,
        count: figures.length,
        median: medianOf(figures),
        standing: value === undefined ? absent('insufficient_inputs') : known(standingOf(value, figures)),
      };
    }),
  };
}

/** Figures in hundredths. */
const measures: readonly (Pick<MarketMeasure, 'measure' | 'unit'> & {
  readonly read: (deal: ComparedDeal) => number | undefined;
})[] = [
  { measure: 'cap_rate', unit: 'percent', read: ({ capHundredths }) => capHundredths },
  { measure: 'price_per_unit', unit: 'usd', read: centsPerUnit },
  { measure: 'list_price', unit: 'usd', read: ({ priceCents }) => priceCents },
  { measure: 'deal_score', unit: 'points', read: ({ dealScore }) => dealScore * 100 },
];

function centsPerUnit({ priceCents, units }: ComparedDeal): number | undefined {
  if (priceCents === undefined || units === undefined) return undefined;
  return new Exact(priceCents).div(units).toDecimalPlaces(0).toNumber();
}

function medianOf(figures: readonly number[]): Maybe<DecimalText> {
  const sorted = [...figures].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) return absent('insufficient_inputs');
  return known(publish(new Exact(low).plus(high).div(200), 2));
}

function standingOf(value: number, figures: readonly number[]): Rank {
  const below = figures.filter((figure) => figure < value).length;
  const equal = figures.filter((figure) => figure === value).length;
  return {
    value: publish(new Exact(value).div(100), 2),
    below,
    equal,
    percentile: publish(new Exact(equal).div(2).plus(below).div(figures.length).times(100), 1),
  };
}
