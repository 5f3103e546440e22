import type * as Wire from '../../../generated/types.gen.js';
import { isKnown, known, type Maybe } from '../../absence.js';
import type { Market, MarketMeasure, Rank } from '../../deals/reports/market.js';
import { createAbsence } from '../absence.js';

/** The market section of a report. */
export function marketToWire({ metro, deals, measures }: Market): Wire.Market {
  const { absentFields, take } = createAbsence<Wire.Market['absent']>();
  return {
    metro: take('metro', metro),
    deals: take('deals', deals),
    measures: measures.map(measureToWire),
    absent: absentFields,
  };
}

function measureToWire({ measure, unit, count, median, standing }: MarketMeasure): Wire.MarketMeasure {
  const { absentFields, take } = createAbsence<Wire.MarketMeasure['absent']>();
  const of = <K extends keyof Rank>(name: K): Maybe<Rank[K]> =>
    isKnown(standing) ? known(standing.value[name]) : standing;
  return {
    measure,
    unit,
    count,
    median: take('median', median),
    value: take('value', of('value')),
    below: take('below', of('below')),
    equal: take('equal', of('equal')),
    percentile: take('percentile', of('percentile')),
    absent: absentFields,
  };
}
