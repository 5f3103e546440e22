import type { Knex } from 'knex';
import { createWriteBehind } from '../db/sql/write-behind.js';
import type { Listing } from '../listings/listing.js';
import type { HudRents } from './rents/hud-rent.js';
import { assumptionSet, type AssumptionSet } from './assumption-set.js';
import type { MortgageRates } from './mortgage-rates.js';
import { createUnderwrite } from './underwrite.js';
import { hashInputs, nameOfAssumptions, underwritingInputs } from './underwriting-inputs.js';
import { discardOlder, readKept, upsertUnderwritings, type NewUnderwriting } from './underwriting-store.js';
import { underwrittenEveryHours } from './underwriting-health.js';
import type { Underwriting } from './underwriting.js';

export interface UnderwriterOptions {
  readonly knex: Knex;
  readonly rents: HudRents;
  readonly rates: MortgageRates;
  /** Default: the current set. */
  readonly assumptions?: AssumptionSet;
  readonly now: Date;
  /** True every two days: underwrites unchanged listings too, so that no figure gets older than promised. */
  readonly all: boolean;
  /** Keeps nothing: the figures only show what other rents would change. */
  readonly isTrial?: boolean;
}

/** Provides the underwritings of listings about to be published. */
export interface Underwriter {
  /**
   * The underwritings by listing id. At most two statements, so pass at most a few hundred listings. One is new when:
   * - price, units, income, rent, interest rates or assumption set changed;
   * - a licence was narrowed since;
   * - the last one is two days old, as when a listing returns.
   */
  underwrite(listings: readonly Listing[]): Promise<ReadonlyMap<string, Underwriting>>;
  /** The name of the set with the rates; figures of another one are outdated. */
  readonly assumptions: string;
  /** Number of new underwritings. */
  count(): number;
  /** Waits until all new underwritings are saved. Safe to repeat. */
  done(): Promise<void>;
  /** Waits for pending writes to end, successful or not. */
  settle(): Promise<void>;
  /** Forgets the listings no longer offered. Call after all offered listings were underwritten and saved. */
  discardRest(): Promise<void>;
}

/** Creates the underwriter of one publication. */
export function createUnderwriter(options: UnderwriterOptions): Underwriter {
  const { knex, rents, rates, assumptions = assumptionSet, now, all, isTrial = false } = options;
  const underwrite = createUnderwrite(assumptions);
  const name = nameOfAssumptions(assumptions.version, rates);
  const writes = createWriteBehind();
  const keptSince = new Date(now.getTime() - underwrittenEveryHours * 3_600_000);
  let count = 0;

  return {
    async underwrite(listings) {
      const ids = listings.map(({ id }) => id);
      const kept = all ? undefined : await readKept(knex, ids, keptSince);
      const fresh: NewUnderwriting[] = [];
      const underwritings = listings.map((listing): [string, Underwriting] => {
        const inputs = underwritingInputs(listing, { ...rents.at(listing, now), rates });
        const inputsHash = hashInputs(inputs, assumptions);
        if (kept?.get(listing.id) !== inputsHash) fresh.push({ listingId: listing.id, inputsHash });
        return [listing.id, underwrite(inputs)];
      });
      if (fresh.length > 0 && !isTrial) await writes.begin(() => upsertUnderwritings(knex, fresh, name, now));
      count += fresh.length;
      return new Map(underwritings);
    },
    assumptions: name,
    count: () => count,
    done: writes.done,
    settle: writes.settle,
    // Those of offered listings are all newer.
    discardRest: () => discardOlder(knex, all ? now : keptSince),
  };
}
