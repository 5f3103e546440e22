import { absent, isKnown } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import { noMatches } from '../counties/matches/match-county-records.js';
import { assumptionSet } from '../underwriting/assumption-set.js';
import { createUnderwrite } from '../underwriting/underwrite.js';
import { underwritingInputs } from '../underwriting/underwriting-inputs.js';
import { scoreListing } from './scoring/score-listing.js';
import type { Deal } from './deal.js';
import type { DealFacts } from './deal-facts.js';
import { distressOf } from './distress-of.js';

/**
 * Underwrites and scores each listing as of `now`, and composes its deal. Leaves out a listing whose source has no
 * licence. Pure.
 */
export function composeDeals(facts: DealFacts): readonly Deal[] {
  return facts.listings.flatMap((listing) => composeDeal(listing, facts) ?? []);
}

const underwrite = createUnderwrite(assumptionSet);

function composeDeal(listing: Listing, facts: DealFacts): Deal | undefined {
  const { id, countyFips } = listing;
  const { now } = facts;
  const figures = facts.figures.get(id);
  const place = facts.places.get(id);
  const licence = facts.licences.get(listing.sourceName);
  if (place === undefined || figures === undefined || licence === undefined) return undefined;
  const median = isKnown(countyFips) ? facts.medianCaps.get(countyFips.value) : undefined;
  const metroMedianCapPct = median ?? absent('insufficient_inputs');
  const matches = facts.matches.get(id) ?? noMatches;
  const distress = distressOf(matches, now);
  const inputs = underwritingInputs(listing, figures);
  const underwriting = underwrite(inputs);
  const score = scoreListing({ listing, underwriting, distress, metroMedianCapPct, now });
  return { id, listing, place, inputs, underwriting, matches, distress, score, scoredAt: now, licence };
}
