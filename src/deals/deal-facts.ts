import type { Maybe } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import type { PropertyMatches } from '../counties/matches/property-matches.js';
import type { PropertyPlace } from '../counties/matches/property-place.js';
import type { Licence } from '../sources/source.js';
import type { Underwriting } from '../underwriting/underwriting.js';

/** Some listings with all that their deals are made of. Plain data: it may be handed to another thread. */
export interface DealFacts {
  readonly listings: readonly Listing[];
  /** By listing, like the two that follow. */
  readonly places: ReadonlyMap<string, PropertyPlace>;
  readonly underwritings: ReadonlyMap<string, Underwriting>;
  /** Nothing for those without any. */
  readonly matches: ReadonlyMap<string, PropertyMatches>;
  /** By source name. */
  readonly licences: ReadonlyMap<string, Licence>;
  /** The median advertised cap rate by county, percent. */
  readonly medianCaps: ReadonlyMap<string, Maybe<string>>;
  /** The moment that deals are scored as of. */
  readonly now: Date;
}
