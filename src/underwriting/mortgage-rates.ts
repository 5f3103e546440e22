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

/** Rates from the JSON of the setting; undefined when it is anything else, or a rate is not from 1 to 20 percent. */
export function readRates(text: string): SourcedRates | undefined {
  const { as_of: asOf, source, ...pcts } = parseTexts(text);
  const { one_to_four_units_pct: oneToFourUnitsPct, five_plus_units_pct: fivePlusUnitsPct, ...others } = pcts;
  const isDay = asOf !== undefined && isDayText(asOf);
  if (!isDay || source === undefined || source.trim() === '' || Object.keys(others).length > 0) return undefined;
  if (!isRate(oneToFourUnitsPct) || !isRate(fivePlusUnitsPct)) return undefined;
  return { asOf, source, oneToFourUnitsPct, fivePlusUnitsPct };
}

function isRate(text: string | undefined): text is DecimalText {
  return text !== undefined && /^\d{1,2}(\.\d{1,4})?$/.test(text) && Number(text) >= 1 && Number(text) <= 20;
}

function isDayText(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`);
}

/** The texts of a JSON object by their names; empty for anything else. */
function parseTexts(json: string): Readonly<Record<string, string | undefined>> {
  try {
    const value: unknown = JSON.parse(json);
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return entries.every(([, each]) => typeof each === 'string') ? Object.fromEntries(entries) : {};
  } catch {
    return {};
  }
}

/** The rates of a day. */
export type RatesAt = (at: Date) => SourcedRates;

/** The stated rates, else the carried ones, which the demonstration declares as of the first of the month. */
export function createRatesAt(stated: SourcedRates | undefined, isDemonstration: boolean): RatesAt {
  return (at) => {
    if (stated !== undefined) return stated;
    return isDemonstration ? { ...carriedRates, asOf: `${at.toISOString().slice(0, 7)}-01` } : carriedRates;
  };
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
