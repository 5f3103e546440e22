import type { Maybe } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import type { PropertyMatches } from '../counties/matches/match-county-records.js';
import type { PropertyPlace } from '../counties/matches/property-place.js';
import type { Licence } from '../sources/source.js';
import type { DatedFigures } from '../underwriting/underwriting-inputs.js';

/** Listings with everything their deals need. Plain data, so it can be sent to another thread. */
export interface DealFacts {
  readonly listings: readonly Listing[];
  /** By listing id, like the next two maps. */
  readonly places: ReadonlyMap<string, PropertyPlace>;
  readonly figures: ReadonlyMap<string, DatedFigures>;
  /** No entry for a listing without matches. */
  readonly matches: ReadonlyMap<string, PropertyMatches>;
  /** By source name. */
  readonly licences: ReadonlyMap<string, Licence>;
  /** The median advertised cap rate by county, percent. */
  readonly medianCaps: ReadonlyMap<string, Maybe<string>>;
  /** The time at which deals are scored. */
  readonly now: Date;
}
