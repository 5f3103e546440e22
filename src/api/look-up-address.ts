import type { Lookup, LookedUp, MatchedOn } from '../../generated/types.gen.js';
import { isEvidence, type MatchType } from '../addresses/match-types.js';
import { normalizeAddress } from '../addresses/normalize.js';
import { isNormalizedAddress, type NormalizedAddress } from '../addresses/normalized-address.js';
import { renderAddress } from '../addresses/render-address.js';
import { ServiceError, type ParameterFault } from '../errors.js';
import { foldCity } from '../feeds/place-match.js';
import { countyLabel, labelOfCounty } from '../metros/county-label.js';
import { findCountyOfZip } from '../metros/find-county-of-zip.js';
import { metros } from '../metros/metros.js';
import { findAtAddress, type Found } from './find-at-address.js';
import type { Handler } from './handler.js';
import type { ReadAt } from './published-records.js';
import { suppressed } from './refuse-deal.js';
import type { SoldFeeds } from './sold-feeds.js';

export interface LookupPorts {
  readonly feeds: SoldFeeds;
  readonly readAt: ReadAt;
  /** True for an address that must not be shown. */
  readonly isBuildingSuppressed: (address: NormalizedAddress) => boolean;
}

/** GET /api/lookup: what is known of one address, in all feeds. */
export function createLookUpAddress({ feeds, readAt, isBuildingSuppressed }: LookupPorts): Handler<'lookUpAddress'> {
  return async ({ query }) => {
    const address = readAddress(query.address);
    if (isBuildingSuppressed(address)) throw suppressed('address');
    const { found, versions } = await findAtAddress(address, readAt);
    const matches = showAll(found.filter(({ match }) => isEvidence(match)));
    const possible = showAll(found.filter(({ match }) => !isEvidence(match)));
    const coverage = coverageOf(address, matches, feeds);
    if (found.length === 0) throw noMatch(coverage.covered);
    return {
      status: 200,
      body: {
        query: query.address,
        normalized: renderAddress(address),
        matches: matches.slice(0, mostShown),
        possible_matches: possible.slice(0, mostShown),
        coverage,
      },
      feed: { name: feeds.deals.name, version: versions.deals, asOf: `${versions.signals} ${versions.auctions}` },
    };
  };
}

/** An address that has the contract's shape but cannot be read: nobody is to sign for it. */
export function findAddressFaults({ address: text }: Readonly<Record<string, unknown>>): ParameterFault[] {
  const address = typeof text === 'string' ? normalizeAddress(text) : undefined;
  return address === undefined || isNormalizedAddress(address) ? [] : [addressFault(address.message)];
}

function addressFault(detail: string): ParameterFault {
  return { parameter: 'address', in: 'query', reason: 'address_not_parsed', detail };
}

const mostShown = 200;

const matchedOn: Readonly<Record<MatchType, MatchedOn>> = {
  parcel_exact: ['parcel'],
  exact_normalized: ['house_number', 'street', 'zip'],
  exact_unit: ['house_number', 'street', 'unit', 'zip'],
  exact_no_zip: ['house_number', 'street', 'city'],
  range_equal: ['number_range', 'street', 'city'],
  range_contains: ['number_range', 'street'],
  building_level: ['house_number', 'street'],
  suffix_missing: ['house_number', 'street', 'zip'],
  street_alias: ['house_number', 'street'],
  fuzzy_trigram: ['house_number', 'zip'],
  review_suffix_conflict: ['house_number', 'street'],
  review_postdir: ['house_number', 'street'],
  review_unit: ['house_number', 'street'],
  review_subdivision: ['house_number', 'street'],
  several_properties: ['house_number', 'street'],
};

function readAddress(text: string): NormalizedAddress {
  const address = normalizeAddress(text);
  if (isNormalizedAddress(address)) return address;
  const faults = [addressFault(address.message)];
  throw new ServiceError('address_not_parsed', `${address.message} Nothing was billed.`, { faults });
}

function showAll(found: readonly Found[]): LookedUp[] {
  return found.map(show).sort(compareFound);
}

function show({ located: { entity, record }, match: { matchType, confidence } }: Found): LookedUp {
  const on = [...matchedOn[matchType]];
  // Entity and record come from one feed: they are of one kind, and the contract's proof is the judge.
  return { entity, id: record.id, match_type: matchType, confidence, matched_on: on, record } as LookedUp;
}

function compareFound(one: LookedUp, other: LookedUp): number {
  if (one.confidence !== other.confidence) return one.confidence > other.confidence ? -1 : 1;
  if (one.entity !== other.entity) return entityOrder.indexOf(one.entity) - entityOrder.indexOf(other.entity);
  return one.id < other.id ? -1 : 1;
}

const entityOrder: readonly LookedUp['entity'][] = ['deal', 'signal', 'auction'];

/** The county is that of the ZIP, else the one that all evidence names. */
function coverageOf(
  { zip5, city, state }: NormalizedAddress,
  evidence: readonly LookedUp[],
  feeds: SoldFeeds,
): Lookup['coverage'] {
  const countyFips = findCountyOfZip(zip5);
  const [named, ...others] = new Set(evidence.flatMap((each) => countyOf(each) ?? []));
  const county = countyFips === undefined ? named : countyLabel(countyFips, state);
  const isMetro = metros.some((metro) => metro.state === state && foldCity(metro.name) === foldCity(city));
  const { places } = feeds.deals.current().index;
  const covered = county !== undefined || isMetro || places.has(foldCity(city));
  if (county === undefined || (countyFips === undefined && others.length > 0))
    return { county: null, covered, absent: { county: { reason: 'insufficient_inputs' } } };
  return { county, covered, absent: {} };
}

function countyOf(found: LookedUp): string | undefined {
  const { county, state } = found.record;
  if (county === null) return undefined;
  return found.entity === 'deal' ? labelOfCounty(county, state) : county;
}

function noMatch(isCovered: boolean): ServiceError {
  return isCovered
    ? new ServiceError('no_match', 'No deal, signal or auction is of this address. Nothing was billed.')
    : new ServiceError(
        'outside_coverage',
        'Neither the county nor the city of this address is covered. GET /api/meta tells what is. Nothing was billed.',
      );
}
