import { isKnown, known, valueOf, type Maybe } from '../absence.js';
import type { Auction } from '../counties/auctions/auction.js';
import type { Signal } from '../counties/signals/signal.js';
import type { Deal } from '../deals/deal.js';
import { foldPlace, type AllColumns } from '../feeds/query/feed-kind.js';
import { toPoint } from '../feeds/query/map-point.js';
import type { PlaceColumns } from '../feeds/query/place-rules.js';
import { findCountyName } from '../places/metros/counties.js';
import { countyLabel, labelOfCounty } from '../places/metros/county-label.js';
import { findMetroByCounty, slugOf } from '../places/metros/metros.js';
import { findCentroid } from '../places/metros/zip-centroids.js';

/** Where filters find a deal. A doubted ZIP or county is absent. */
export function placeOfDeal({ listing, score }: Deal): AllColumns<PlaceColumns> {
  const { state } = listing;
  const { doubted } = score.values;
  // One that is not stated is that of the ZIP.
  const isCountyDoubted = doubted.has(isKnown(listing.county) ? 'county' : 'zip');
  const county = isCountyDoubted ? undefined : valueOf(countyOfDeal(listing));
  return placeToColumns({
    state,
    county: county === undefined ? undefined : labelOfCounty(county, state),
    countyFips: isCountyDoubted ? undefined : valueOf(listing.countyFips),
    zip: doubted.has('zip') ? undefined : valueOf(listing.zip),
  });
}

/** Where filters find a county record. Nobody finds on a map what must not be shown. */
export function placeOfRecord(record: Signal | Auction): AllColumns<PlaceColumns> {
  const { state, countyFips, address } = record;
  const columns = placeToColumns({
    state,
    county: countyLabel(countyFips, state),
    countyFips,
    zip: valueOf(record.zip),
  });
  return !isKnown(address) && address.absent === 'suppressed_by_policy' ? { ...columns, point: undefined } : columns;
}

/** The deal's county name as the source states it, else the name of the county that contains the ZIP. */
export function countyOfDeal({ county, countyFips }: Pick<Deal['listing'], 'county' | 'countyFips'>): Maybe<string> {
  if (isKnown(county) || !isKnown(countyFips)) return county;
  const name = findCountyName(countyFips.value);
  return name === undefined ? county : known(name);
}

interface ShownPlace {
  readonly state: string;
  /** The county's label. */
  readonly county: string | undefined;
  readonly countyFips: string | undefined;
  readonly zip: string | undefined;
}

/** A record lies at the center of its ZIP. */
function placeToColumns({ state, county, countyFips, zip }: ShownPlace): AllColumns<PlaceColumns> {
  const metro = countyFips === undefined ? undefined : findMetroByCounty(countyFips);
  const center = zip === undefined ? undefined : findCentroid(zip);
  return {
    state,
    county: county === undefined ? undefined : foldPlace(county),
    countyFips,
    metro: metro && slugOf(metro),
    zip,
    point: center && toPoint(center.latitude, center.longitude),
  };
}
