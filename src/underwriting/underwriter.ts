import type { Knex } from 'knex';
import { createWriteBehind } from '../db/sql/write-behind.js';
import type { Listing } from '../listings/listing.js';
import type { FindRent } from './rents/hud-rent.js';
import type { AssumptionSet } from './assumption-set.js';
import { createUnderwrite } from './underwrite.js';
import { hashInputs, underwritingInputs } from './underwriting-inputs.js';
import { discardOlder, readKept, upsertUnderwritings, type NewUnderwriting } from './underwriting-store.js';
import { underwrittenEveryHours } from './underwriting-health.js';
import type { Underwriting } from './underwriting.js';

export interface UnderwriterOptions {
  readonly knex: Knex;
  readonly findRent: FindRent;
  readonly assumptions: AssumptionSet;
  readonly now: Date;
  /** True every two days: underwrites unchanged listings too, so that no figure is older than promised. */
  readonly all: boolean;
}

/** Gives listings that are about to be published their underwritings. */
export interface Underwriter {
  /**
   * The underwritings of some listings, by listing: those that are kept, and new ones where price, units, income, rent
   * or assumption set have changed since, a licence was narrowed, or two days are over, as for a listing that was gone.
   * At most two statements, so at most some hundred listings.
   */
  underwrite(listings: readonly Listing[]): Promise<ReadonlyMap<string, Underwriting>>;
  /** How many were underwritten anew. */
  count(): number;
  /** Waits until all that are new are kept. Safe to run again: what is kept is replaced by the same figures. */
  done(): Promise<void>;
  /** Waits for what is still being written, whatever becomes of it. */
  settle(): Promise<void>;
  /**
   * Forgets the figures of what is on offer no more. To be called when all that is on offer was underwritten, and kept.
   */
  discardRest(): Promise<void>;
}

/** Creates the underwriter of one publication. */
export function createUnderwriter({ knex, findRent, assumptions, now, all }: UnderwriterOptions): Underwriter {
  const underwrite = createUnderwrite(assumptions);
  const writes = createWriteBehind();
  const keptSince = new Date(now.getTime() - underwrittenEveryHours * 3_600_000);
  let count = 0;

  return {
    async underwrite(listings) {
      const ids = listings.map(({ id }) => id);
      const kept = all ? undefined : await readKept(knex, ids, keptSince);
      const fresh: NewUnderwriting[] = [];
      const underwritings = listings.map((listing): [string, Underwriting] => {
        const inputs = underwritingInputs(listing, findRent({ zip: listing.zip, countyFips: listing.countyFips }, now));
        const inputsHash = hashInputs(inputs, assumptions.version);
        const before = kept?.get(listing.id);
        if (before?.inputsHash === inputsHash) return [listing.id, before.figures];
        const figures = underwrite(inputs);
        fresh.push({ listingId: listing.id, inputsHash, figures });
        return [listing.id, figures];
      });
      if (fresh.length > 0) await writes.begin(() => upsertUnderwritings(knex, fresh, now));
      count += fresh.length;
      return new Map(underwritings);
    },
    count: () => count,
    done: writes.done,
    settle: writes.settle,
    // Of what is on offer all figures are younger.
    discardRest: () => discardOlder(knex, all ? now : keptSince),
  };
}
