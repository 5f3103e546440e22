import type { DecimalText } from '../../decimal-text.js';

/** Points from a mark on; the first step reached counts. */
export interface Step {
  readonly mark: DecimalText;
  readonly points: number;
}

function steps(...all: readonly (readonly [mark: DecimalText, points: number])[]): readonly Step[] {
  return all.map(([mark, points]) => ({ mark, points }));
}

/**
 * Points of the three lead types, `lead-1.0.0`. Equity steps: percent, from the mark up, only for a positive gap. Day
 * steps: up to the mark.
 */
export const leadRules = {
  version: 'lead-1.0.0',
  /** A record not seen for longer is no lead. */
  verifiedWithinDays: 7,
  sheriffSale: {
    base: 40,
    equityGap: steps(['60', 40], ['45', 30], ['33', 25], ['20', 15], ['0', 5]),
    daysToSale: steps(['7', 20], ['14', 15], ['30', 10], ['60', 5]),
  },
  taxDelinquent: {
    base: 30,
    equityGap: steps(['95', 40], ['90', 30], ['75', 20], ['50', 10], ['0', 5]),
    daysToSale: steps(['30', 30], ['90', 20], ['180', 10]),
    yearsOwed: steps(['3', 20], ['2', 10], ['1', 5]),
  },
  motivatedListing: {
    base: 40,
    equityGap: steps(['60', 40], ['45', 30], ['33', 25], ['20', 15], ['0', 5]),
    motivationPointsEach: 5,
    motivationPointsMax: 20,
    matchConfidenceMin: '0.85',
  },
} as const;
