import type { Database } from '../db/database.js';
import type { MortgageRates } from '../underwriting/mortgage-rates.js';
import type { HudRents } from '../underwriting/rents/hud-rent.js';
import { createUnderwriter, type Underwriter, type UnderwriterOptions } from '../underwriting/underwriter.js';

export interface UnderwriterPorts {
  readonly database: Pick<Database, 'knex'>;
  /** The interest rates of a day. */
  readonly ratesAt: (at: Date) => MortgageRates;
}

/** Creates the underwriter of one publication, or of a trial, on these rents and the interest rates of the day. */
export function openUnderwriter(
  { database: { knex }, ratesAt }: UnderwriterPorts,
  rents: HudRents,
  how: Pick<UnderwriterOptions, 'now' | 'all' | 'isTrial'>,
): Underwriter {
  // Without their source, which would be kept with the inputs of every report.
  const { asOf, oneToFourUnitsPct, fivePlusUnitsPct } = ratesAt(how.now);
  return createUnderwriter({ knex, rents, rates: { asOf, oneToFourUnitsPct, fivePlusUnitsPct }, ...how });
}
