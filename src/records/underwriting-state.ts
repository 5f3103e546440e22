import type { UnderwritingState } from '../../generated/types.gen.js';
import { type UnderwritingHealth, underwrittenEveryHours } from '../underwriting/underwriting-health.js';

/** The state of underwriting, for metadata and the list of sources. */
export function underwritingToWire({ status, oldestAt }: UnderwritingHealth): UnderwritingState {
  return {
    status,
    promised_every_hours: underwrittenEveryHours,
    oldest: oldestAt?.toISOString() ?? null,
    absent: oldestAt === undefined ? { oldest: { reason: 'not_yet_observed' } } : {},
  };
}
