import { absent, isKnown, type Maybe, valueOf } from '../../absence.js';
import type { Deal } from '../deal.js';
import type { ObservedPrice } from '../../listings/listing.js';
import { noMatches, type PropertyMatches } from '../../counties/matches/property-matches.js';
import type { DistressMatches, Score } from '../scoring/score.js';
import type { UnderwritingInputs } from '../../underwriting/underwriting.js';
import { underwritingInputs } from '../../underwriting/underwriting-inputs.js';

/**
 * What the report of a deal rests on and its record does not say. Kept with each publication, so that a report is
 * always of the record that its buyer saw, whatever has been observed since.
 */
export interface Dossier {
  readonly dealId: string;
  readonly countyFips: Maybe<string>;
  /** False where the listing names no county, and its ZIP tells the one that the record names. */
  readonly isCountyStated: boolean;
  /** As the listing states them, with the rent that was underwritten. */
  readonly inputs: UnderwritingInputs;
  /** Version of the assumption set. */
  readonly assumptionSet: string;
  readonly motivationCount: number;
  readonly confidenceInputs: Score['confidenceInputs'];
  /** The county records that were of the property when it was published. */
  readonly matches: PropertyMatches;
  readonly distress: DistressMatches;
  /** Oldest first. */
  readonly prices: readonly ObservedPrice[];
  /** UTC day of the scores, YYYY-MM-DD. */
  readonly scoredOn: string;
}

/** The dossier of a deal as it is published. */
export function makeDossier({ id, listing, underwriting, matches, distress, score, scoredAt }: Deal): Dossier {
  return {
    dealId: id,
    countyFips: listing.countyFips,
    isCountyStated: isKnown(listing.county),
    inputs: underwritingInputs(listing, underwriting.rent),
    assumptionSet: underwriting.assumptionSet,
    motivationCount: score.motivation.length,
    confidenceInputs: score.confidenceInputs,
    matches,
    distress,
    prices: listing.prices,
    scoredOn: scoredAt.toISOString().slice(0, 10),
  };
}

/** A dossier as it is kept. */
export interface WrittenDossier {
  readonly dealId: string;
  /** Undefined where it is not known. */
  readonly countyFips: string | undefined;
  /** JSON. */
  readonly text: string;
}

export function writeDossier(dossier: Dossier): WrittenDossier {
  const { dealId, countyFips } = dossier;
  return { dealId, countyFips: valueOf(countyFips), text: JSON.stringify(dossier) };
}

/** A dossier as JSON gives it back: its times are texts until this has read them. */
export function reviveDossier(json: Dossier): Dossier {
  const { taxDelinquency, sheriffSale } = json.distress;
  // Dossiers that were kept before county records were matched have none.
  const { signals, auctions } = (json as Partial<Dossier>).matches ?? noMatches;
  // Nor had their listings been read for a unit mix and itemised expenses.
  const unread = { unitMix: absent('not_collected'), expenseItems: absent('not_collected') };
  return {
    ...json,
    // No record named a county that was not stated.
    isCountyStated: (json as Partial<Dossier>).isCountyStated ?? true,
    inputs: { ...unread, ...json.inputs },
    matches: { signals: signals.map(reviveSeen), auctions: auctions.map(reviveSeen) },
    distress: { taxDelinquency: reviveMatch(taxDelinquency), sheriffSale: reviveMatch(sheriffSale) },
    prices: json.prices.map(({ observedAt, price }) => ({ observedAt: new Date(observedAt), price })),
  };
}

function reviveSeen<T extends { readonly lastSeenAt: Date }>(record: T): T {
  return { ...record, lastSeenAt: new Date(record.lastSeenAt) };
}

function reviveMatch<T extends { readonly observedAt: Date }>(match: Maybe<T>): Maybe<T> {
  return isKnown(match) ? { value: { ...match.value, observedAt: new Date(match.value.observedAt) } } : match;
}
