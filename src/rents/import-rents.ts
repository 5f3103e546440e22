import type { Knex } from 'knex';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { HudFigures } from './area-rents.js';
import { type RentOrigin, upsertRents, upsertZipCounties } from './rent-store.js';

const rowsPerStatement = 100;

/**
 * Writes HUD rents and the county of each ZIP, in statements of at most 100 rows with the event loop let through between them.
 * Running it again changes nothing. A revised figure of the same area and year replaces the older one, unless a source has
 * brought that and the project carries this; figures of other years stay, and readers take the newest year in force. Each area
 * may stand in `figures` once per year.
 */
export async function importRents(knex: Knex, figures: HudFigures, origin: RentOrigin): Promise<void> {
  for (const rents of slices(figures.rents)) {
    await upsertRents(knex, rents, origin);
    await yieldToEventLoop();
  }
  for (const zipCounties of slices(figures.zipCounties)) {
    await upsertZipCounties(knex, zipCounties);
    await yieldToEventLoop();
  }
}

function* slices<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) yield rows.slice(start, start + rowsPerStatement);
}
