import type { DecimalText } from '../../decimal-text.js';

/** Points from a mark on; the first step reached counts. */
export interface Step {
  readonly mark: DecimalText;
  readonly points: number;
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
    equityGap: [
      { mark: '60', points: 40 },
      { mark: '45', points: 30 },
      { mark: '33', points: 25 },
      { mark: '20', points: 15 },
      { mark: '0', points: 5 },
    ],
    daysToSale: [
      { mark: '7', points: 20 },
      { mark: '14', points: 15 },
      { mark: '30', points: 10 },
      { mark: '60', points: 5 },
    ],
  },
  taxDelinquent: {
    base: 30,
    equityGap: [
      { mark: '95', points: 40 },
      { mark: '90', points: 30 },
      { mark: '75', points: 20 },
      { mark: '50', points: 10 },
      { mark: '0', points: 5 },
    ],
    daysToSale: [
      { mark: '30', points: 30 },
      { mark: '90', points: 20 },
      { mark: '180', points: 10 },
    ],
    yearsOwed: [
      { mark: '3', points: 20 },
      { mark: '2', points: 10 },
      { mark: '1', points: 5 },
    ],
  },
  motivatedListing: {
    base: 40,
    equityGap: [
      { mark: '60', points: 40 },
      { mark: '45', points: 30 },
      { mark: '33', points: 25 },
      { mark: '20', points: 15 },
      { mark: '0', points: 5 },
    ],
    motivationPointsEach: 5,
    motivationPointsMax: 20,
    matchConfidenceMin: '0.85',
  },
} as const;
