import { createCandidates } from './candidates.js';
import { hotCapHundredths, type DealFilter } from './deal-filter.js';
import type { DealColumns } from './deal-columns.js';
import { foldPlace, type FeedIndex, type RecordList } from './feed-kind.js';
import { foldCity } from './place-match.js';
import { createPositionLists } from './position-lists.js';
import { createRangeIndex } from './range-index.js';
import { countWhile } from './snapshot.js';

/** Indexes deals by each filter, so that a query intersects one set of positions per filter. */
export async function createDealIndex(
  deals: RecordList<DealColumns>,
  yieldTurn: () => Promise<void>,
): Promise<FeedIndex<DealFilter>> {
  const size = deals.length;
  const at = (position: number): DealColumns => deals.at(position) as DealColumns;
  const states = await createPositionLists(size, (position) => foldPlace(at(position).state), yieldTurn);
  const cities = await createPositionLists(size, (position) => foldCity(at(position).city), yieldTurn);
  const statuses = await createPositionLists(size, (position) => at(position).rentalStatus, yieldTurn);
  const heat = await createPositionLists(size, (position) => (isHot(at(position)) ? 'hot' : ''), yieldTurn);
  const rangeOf = (column: 'priceCents' | 'capHundredths' | 'units') =>
    createRangeIndex(size, (position) => at(position)[column], yieldTurn);
  const price = await rangeOf('priceCents');
  const cap = await rangeOf('capHundredths');
  const units = await rangeOf('units');
  const candidates = createCandidates(size);

  return {
    places: new Set([...states.keys, ...cities.keys]),
    match({ state, city, minScore, status, hotOnly, ...bounds }) {
      const { minPriceCents, maxPriceCents, minCapHundredths, minUnits, maxUnits } = bounds;
      candidates.begin();
      if (state !== undefined) states.keepOf(candidates, foldPlace(state));
      if (city !== undefined) cities.keepOf(candidates, foldCity(city));
      if (status !== undefined) statuses.keepOf(candidates, status);
      if (hotOnly === true) heat.keepOf(candidates, 'hot');
      if (minPriceCents !== undefined || maxPriceCents !== undefined)
        price.keepBetween(candidates, minPriceCents ?? -Infinity, maxPriceCents ?? Infinity);
      if (minCapHundredths !== undefined) cap.keepBetween(candidates, minCapHundredths, Infinity);
      if (minUnits !== undefined || maxUnits !== undefined)
        units.keepBetween(candidates, minUnits ?? -Infinity, maxUnits ?? Infinity);
      // Deals stand by score: none behind the first that scores less can match.
      const isHighEnough = (deal: DealColumns): boolean => deal.dealScore >= (minScore ?? -Infinity);
      return candidates.finish(minScore === undefined ? size : countWhile(deals, isHighEnough));
    },
  };
}

function isHot({ dscrComputed, capHundredths }: DealColumns): boolean {
  return dscrComputed && (capHundredths ?? -Infinity) >= hotCapHundredths;
}
