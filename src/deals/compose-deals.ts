import { absent, isKnown } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import { noMatches } from '../counties/matches/match-county-records.js';
import { scoreListing } from './scoring/score-listing.js';
import type { Deal } from './deal.js';
import type { DealFacts } from './deal-facts.js';
import { distressOf } from './distress-of.js';

/**
 * Composes one deal per underwritten listing, scored as of `now`. Leaves out a listing without an underwriting or whose
 * source has no licence. Pure.
 */
export function composeDeals(facts: DealFacts): readonly Deal[] {
  return facts.listings.flatMap((listing) => composeDeal(listing, facts) ?? []);
}

function composeDeal(listing: Listing, facts: DealFacts): Deal | undefined {
  const { id, countyFips } = listing;
  const { now } = facts;
  const underwriting = facts.underwritings.get(id);
  const place = facts.places.get(id);
  const licence = facts.licences.get(listing.sourceName);
  if (place === undefined || underwriting === undefined || licence === undefined) return undefined;
  const median = isKnown(countyFips) ? facts.medianCaps.get(countyFips.value) : undefined;
  const metroMedianCapPct = median ?? absent('insufficient_inputs');
  const matches = facts.matches.get(id) ?? noMatches;
  const distress = distressOf(matches, now);
  const score = scoreListing({ listing, underwriting, distress, metroMedianCapPct, now });
  return { id, listing, place, underwriting, matches, distress, score, scoredAt: now, licence };
}
