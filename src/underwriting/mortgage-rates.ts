import type { DecimalText } from '../decimal-text.js';

/** Interest rates of the day: dated data, like HUD's rents. Percent a year. */
export interface MortgageRates {
  /** YYYY-MM-DD: the oldest date among their grounds. */
  readonly asOf: string;
  /** Residential investor loans. */
  readonly oneToFourUnitsPct: DecimalText;
  /** Commercial loans. */
  readonly fivePlusUnitsPct: DecimalText;
}

/** Rates with the source that they are quoted from. */
export interface SourcedRates extends MortgageRates {
  readonly source: string;
}

/** The rates that count until an operator states newer ones. */
export const carriedRates: SourcedRates = {
  asOf: '2025-11-26',
  source:
    '1-4 units: Freddie Mac PMMS 30-year average 6.23 of 2025-11-26, with 0.75 for investors. ' +
    '5 units and more: the middle of the 6.00-7.50 that banks quoted in mid-2026. Both are assumptions.',
  oneToFourUnitsPct: '7.00',
  fivePlusUnitsPct: '6.75',
};

/** The carried rates, declared as of the first of a month, as the demonstration does. */
export function ratesOfMonth(at: Date): SourcedRates {
  return { ...carriedRates, asOf: `${at.toISOString().slice(0, 7)}-01` };
}

/** The rate for a building; the higher one when its units are unknown. */
export function rateFor(
  { oneToFourUnitsPct, fivePlusUnitsPct }: MortgageRates,
  units: number | undefined,
): DecimalText {
  if (units === undefined)
    return Number(oneToFourUnitsPct) > Number(fivePlusUnitsPct) ? oneToFourUnitsPct : fivePlusUnitsPct;
  return units <= 4 ? oneToFourUnitsPct : fivePlusUnitsPct;
}

/**
 * How old rates are on a day. late: more than 45 days, which is told wherever rates are shown. stale: more than 180
 * days, and no deal that rests on them is Hot.
 */
export type RateAge = 'current' | 'late' | 'stale';

const dayMs = 86_400_000;

export function ageOfRates({ asOf }: Pick<MortgageRates, 'asOf'>, on: Date): RateAge {
  const days = Math.floor((on.getTime() - Date.parse(asOf)) / dayMs);
  return days > 180 ? 'stale' : days > 45 ? 'late' : 'current';
}
