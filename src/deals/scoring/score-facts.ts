import { isKnown, known, type Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';
import type { Listing } from '../../listings/listing.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import type { InputBasis } from './rationale.js';
import { readRemarks, type RemarksReading } from './read-remarks.js';
import type { ScoreInputs } from './score.js';
import { asPublished, type ScoredValues } from './scored-values.js';

/** The facts for judging the three paths, gathered once per listing. */
export interface ScoreFacts {
  readonly listing: Listing;
  readonly underwriting: Underwriting;
  readonly values: ScoredValues;
  readonly remarks: RemarksReading;
  readonly metroMedianCapPct: Maybe<DecimalText>;
  readonly motivationCount: number;
  /** UTC day on which the source last showed the listing. */
  readonly statedOn: string;
  /** UTC day of scoring. */
  readonly today: string;
  /** The two-bedroom HUD rent as published: USD a month with cents. */
  readonly marketRent: Maybe<DecimalText>;
  readonly rentBasis: InputBasis;
  /** HUD's fiscal year such as FY2026; the day of scoring when there is no rent. */
  readonly hudYear: string;
}

export function gatherFacts(
  inputs: ScoreInputs,
  values: ScoredValues,
  remarks: RemarksReading,
  motivationCount: number,
): ScoreFacts {
  const { listing, underwriting, now } = inputs;
  const today = dayOf(now);
  const { rent } = values;
  return {
    listing,
    underwriting,
    values,
    remarks,
    metroMedianCapPct: asPublished(inputs.metroMedianCapPct),
    motivationCount,
    statedOn: dayOf(listing.lastSeenAt),
    today,
    marketRent: asPublished(isKnown(rent) ? known(rent.value.rent2br) : rent),
    rentBasis: `hud_${isKnown(rent) ? rent.value.basis : 'safmr_zip'}`,
    hudYear: isKnown(rent) ? `FY${rent.value.fiscalYear}` : today,
  };
}

/** The topics in the listing's remarks; empty without remarks. */
export function remarksOf(listing: Listing): RemarksReading {
  return readRemarks(isKnown(listing.remarks) ? listing.remarks.value : '');
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
