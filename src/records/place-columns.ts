import { isKnown, known, valueOf, type Maybe } from '../absence.js';
import type { Auction } from '../counties/auctions/auction.js';
import type { Signal } from '../counties/signals/signal.js';
import type { Deal } from '../deals/deal.js';
import { foldPlace, type AllColumns } from '../feeds/query/feed-kind.js';
import { milesFrom, toPoint } from '../feeds/query/map-point.js';
import type { PlaceColumns } from '../feeds/query/place-rules.js';
import { findCountyName } from '../places/metros/counties.js';
import { countyLabel, labelOfCounty } from '../places/metros/county-label.js';
import { findMetroByCounty, slugOf } from '../places/metros/metros.js';
import { findCentroid, type Point } from '../places/metros/zip-centroids.js';

/** Where filters find a deal. A doubted ZIP or county is absent. */
export function placeOfDeal(deal: Deal): AllColumns<PlaceColumns> {
  const { listing, score } = deal;
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
    location: locationOfDeal(deal),
  });
}

/** Where a deal lies on the map. One that shows no street address lies at the center of its ZIP. */
export function locationOfDeal({ listing, score }: Deal): Location | undefined {
  if (score.values.doubted.has('zip')) return undefined;
  return locate(valueOf(listing.zip), isKnown(listing.address) ? listing.location : undefined);
}

/** Where filters find a county record. Nobody finds on a map what must not be shown. */
export function placeOfRecord(record: Signal | Auction): AllColumns<PlaceColumns> {
  const { state, countyFips, address } = record;
  const zip = valueOf(record.zip);
  const isSuppressed = !isKnown(address) && address.absent === 'suppressed_by_policy';
  return placeToColumns({
    state,
    county: countyLabel(countyFips, state),
    countyFips,
    zip,
    location: isSuppressed ? undefined : locate(zip, isKnown(address) ? record.location : undefined),
  });
}

/** A place on the map. It is never shown itself, only what it stands on. */
export interface Location {
  /** See `map-point.ts`. */
  readonly point: number;
  readonly basis: 'source' | 'zip_centroid';
}

/** A stated place farther than this from its ZIP is a mistake, such as zeros or a lost sign. */
const maxMiles = 60;

/** The center of the ZIP, or the stated place where that is near; undefined without a ZIP that has an area. */
function locate(zip: string | undefined, stated: Point | undefined): Location | undefined {
  const center = zip === undefined ? undefined : findCentroid(zip);
  if (center === undefined) return undefined;
  const own = stated && toPoint(stated.latitude, stated.longitude);
  return own === undefined || milesFrom(center, own) > maxMiles
    ? { point: toPoint(center.latitude, center.longitude), basis: 'zip_centroid' }
    : { point: own, basis: 'source' };
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
  readonly location: Location | undefined;
}

function placeToColumns({ state, county, countyFips, zip, location }: ShownPlace): AllColumns<PlaceColumns> {
  const metro = countyFips === undefined ? undefined : findMetroByCounty(countyFips);
  return {
    state,
    county: county === undefined ? undefined : foldPlace(county),
    countyFips,
    metro: metro && slugOf(metro),
    zip,
    point: location?.point,
  };
}
