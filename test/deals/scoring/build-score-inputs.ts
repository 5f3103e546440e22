import { absent, known } from '../../../src/absence.js';
import type { Listing } from '../../../src/listings/listing.js';
import type { DistressMatches, ScoreInputs } from '../../../src/deals/scoring/score.js';
import type { AssumptionSet } from '../../../src/underwriting/assumption-set.js';
import { createUnderwrite } from '../../../src/underwriting/underwrite.js';
import { underwritingInputs } from '../../../src/underwriting/underwriting-inputs.js';
import type { Underwriting } from '../../../src/underwriting/underwriting.js';
import { buildListing, buildRent, dated, plainSet } from '../../underwriting/build-listing.js';

export const noDistress: DistressMatches = {
  taxDelinquency: absent('not_collected'),
  sheriffSale: absent('not_collected'),
};

/**
 * Six units in ZIP 44105, advertised at a cap of 9.2% on HUD's FY2025 SAFMR of $1,000; a test changes the relevant
 * fields. Underwritten with plain assumptions, unless a test gives others.
 */
export function buildScoreInputs(
  listing: Partial<Listing> = {},
  others: Partial<Omit<ScoreInputs, 'listing'>> & {
    rent?: Underwriting['rent'];
    assumptions?: AssumptionSet;
    isZipElsewhere?: boolean;
  } = {},
): ScoreInputs {
  const { rent = buildRent('1000'), assumptions = plainSet, isZipElsewhere = false, ...rest } = others;
  const whole = buildListing({ listPrice: known('420000'), units: known(6), capRate: known('9.2'), ...listing });
  return {
    listing: whole,
    underwriting: createUnderwrite(assumptions)(underwritingInputs(whole, { ...dated(rent), isZipElsewhere })),
    distress: noDistress,
    metroMedianCapPct: known('7.40'),
    now: new Date('2026-11-21T06:00:00.000Z'),
    ...rest,
  };
}

/** Score inputs whose published figures are set one by one, for a rule's boundaries. */
export function buildFigures(figures: Partial<Underwriting>, listing: Partial<Listing> = {}): ScoreInputs {
  const inputs = buildScoreInputs(listing);
  return { ...inputs, underwriting: { ...inputs.underwriting, ...figures } };
}
