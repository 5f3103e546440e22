import type { Knex } from 'knex';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createWriteBehind } from '../db/write-behind.js';
import type { ListingNow } from '../listings/listing-reader.js';
import type { FindRent } from '../rents/hud-rent.js';
import type { AssumptionSet } from './assumption-set.js';
import { createUnderwrite } from './underwrite.js';
import { hashInputs, underwritingInputs } from './underwriting-inputs.js';
import { readInputHashes, upsertUnderwritings, type NewUnderwriting } from './underwriting-store.js';

export interface UnderwriteListingsOptions {
  readonly knex: Knex;
  /** The active listings, in pages of any size, each listing once. */
  readonly readListings: () => AsyncIterable<readonly ListingNow[]>;
  readonly findRent: FindRent;
  readonly assumptions: AssumptionSet;
  readonly now: Date;
  /** True every two days: underwrites unchanged listings too, so that no figure is older than promised. */
  readonly all: boolean;
  readonly onProgress?: (progress: UnderwritingProgress) => void;
}

export interface UnderwritingProgress {
  /** Listings looked at so far. */
  readonly seen: number;
  /** Listings underwritten so far. */
  readonly underwritten: number;
}

const rowsPerChunk = 50;

/**
 * Underwrites the listings whose price, units, income, rent or assumption set changed, and with `all` every one.
 * Works in chunks of at most 50 rows, two statements each, and lets the event loop through between chunks. Safe to run
 * again: what is kept is replaced by the same figures. Resolves to the final progress.
 */
export async function underwriteListings(options: UnderwriteListingsOptions): Promise<UnderwritingProgress> {
  const underwrite = createUnderwrite(options.assumptions);
  let progress: UnderwritingProgress = { seen: 0, underwritten: 0 };

  const writes = createWriteBehind();
  try {
    for await (const page of options.readListings()) {
      for (let start = 0; start < page.length; start += rowsPerChunk) {
        const chunk = page.slice(start, start + rowsPerChunk);
        const candidates = chunk.map((listing) => {
          const rent = options.findRent({ zip: listing.zip, countyFips: listing.countyFips }, options.now);
          const inputs = underwritingInputs(listing, rent);
          return { listingId: listing.id, inputs, inputsHash: hashInputs(inputs, options.assumptions.version) };
        });
        const due = options.all ? candidates : await selectChanged(options.knex, candidates);
        const underwritings = due.map(({ listingId, inputsHash, inputs }): NewUnderwriting => {
          return { listingId, inputsHash, figures: underwrite(inputs) };
        });
        if (underwritings.length > 0)
          await writes.begin(() => upsertUnderwritings(options.knex, underwritings, options.now));
        progress = { seen: progress.seen + chunk.length, underwritten: progress.underwritten + due.length };
        options.onProgress?.(progress);
        await yieldToEventLoop();
      }
    }
    await writes.done();
  } finally {
    await writes.settle();
  }
  return progress;
}

async function selectChanged<T extends { readonly listingId: string; readonly inputsHash: string }>(
  knex: Knex,
  candidates: readonly T[],
): Promise<T[]> {
  const hashes = await readInputHashes(
    knex,
    candidates.map(({ listingId }) => listingId),
  );
  return candidates.filter(({ listingId, inputsHash }) => hashes.get(listingId) !== inputsHash);
}
