import type { Listing } from '../listings/listing.js';
import type { PropertyMatches } from '../counties/matches/match-county-records.js';
import type { PropertyPlace } from '../counties/matches/property-place.js';
import type { DistressMatches, Score } from './scoring/score.js';
import type { Licence } from '../sources/source.js';
import type { UnderwritingInputs } from '../underwriting/underwriting-inputs.js';
import type { Underwriting } from '../underwriting/underwriting.js';

/** One property as sold: the listing as observed, its underwriting and its scores. */
export interface Deal {
  /** The listing's id. */
  readonly id: string;
  readonly listing: Listing;
  readonly place: PropertyPlace;
  /** What was underwritten. */
  readonly inputs: UnderwritingInputs;
  readonly underwriting: Underwriting;
  /** The county records of the property. */
  readonly matches: PropertyMatches;
  /** The matches that the score counts. */
  readonly distress: DistressMatches;
  readonly score: Score;
  readonly scoredAt: Date;
  readonly licence: Licence;
}
