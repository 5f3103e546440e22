import type { UnderwritingState } from '../../generated/types.gen.js';
import { type UnderwritingHealth, underwrittenEveryHours } from '../underwriting/underwriting-health.js';

/** The state of underwriting, for metadata and the list of sources. */
export function underwritingToWire({ status, oldestAt, rates, rateAge }: UnderwritingHealth): UnderwritingState {
  return {
    status,
    promised_every_hours: underwrittenEveryHours,
    oldest: oldestAt?.toISOString() ?? null,
    mortgage_rates: {
      status: rateAge,
      as_of: rates.asOf,
      source: rates.source,
      one_to_four_units_pct: rates.oneToFourUnitsPct,
      five_plus_units_pct: rates.fivePlusUnitsPct,
    },
    absent: oldestAt === undefined ? { oldest: { reason: 'not_yet_observed' } } : {},
  };
}
