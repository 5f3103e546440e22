import type { Database } from '../db/database.js';
import { inTransaction } from '../db/transaction.js';
import {
  addSuppressed,
  filterShown,
  findPublishedAt,
  noteSuppressed,
  raiseTakedownNumber,
  readTakedownNumber,
  type RecordOfFeed,
} from '../feeds/store/takedown-store.js';
import type { Takedowns } from '../feeds/takedowns.js';
import { OperatorError } from '../errors.js';
import { findTimeZone } from '../places/metros/counties.js';
import { SuppressionError } from '../policy/suppression-hashes.js';
import { createSuppressionList, type SuppressionList, type SuppressionWish } from '../policy/suppression-list.js';
import { createSuppressionStore, type TakeDown } from '../policy/suppression-store.js';
import { createNamingReader } from '../sources/naming-reader.js';
import { openReaders } from './readers.js';

/** The suppression list, and the takedowns of its properties. */
export interface Suppressions {
  /** An addition takes down the records published at its address or parcel, in the same transaction. */
  readonly list: SuppressionList;
  /**
   * Suppresses a property for good. Resolves when its other names in all records are suppressed too: its parcel by its
   * address, its addresses by its parcel. Throws an OperatorError for an unreadable wish.
   */
  suppress(wish: SuppressionWish): Promise<void>;
  /**
   * Extends each suppression to the other names of its property in records that changed since, and takes their records
   * down. Default: all records. Reads only the list while that is empty. Can run at any time, repeatedly.
   */
  suppressAliases(since?: Date): Promise<void>;
  /** Before a draft goes live: `suppressAliases` over all records, if a takedown is newer than the draft's number. */
  recheck(takedownNumber: number): Promise<void>;
}

type Connection = Database['knex'];

export interface SuppressionsPorts {
  readonly knex: Connection;
  /** Key of the hashes on the list. */
  readonly key: string;
  readonly takedowns: Takedowns;
  readonly now: () => Date;
}

export function createSuppressions({ knex, key, takedowns, now }: SuppressionsPorts): Suppressions {
  const takeDown: TakeDown = async (insert, placeKeys) => {
    await inTransaction(knex, async (transaction) => {
      const number = await raiseTakedownNumber(transaction);
      await insert(transaction);
      const published = await findPublishedAt(transaction, placeKeys);
      await addSuppressed(transaction, await findUnpublishable(transaction, published), number);
    });
    await takedowns.refresh();
  };
  const list = createSuppressionList(createSuppressionStore(knex, takeDown), key);
  const namings = createNamingReader(knex, now);

  /** The records that may no longer be published, by the suppression list in memory. */
  async function findUnpublishable(transaction: Connection, records: readonly RecordOfFeed[]): Promise<RecordOfFeed[]> {
    const suppression = { ...list, refresh: () => Promise.resolve() };
    const ids = records.map(({ id }) => id);
    const offered = new Set<string>();
    const { listings, signals, auctions } = openReaders(transaction, suppression, now);
    for await (const chunk of listings.readSome(ids))
      for (const { id, listing } of chunk) if (listing !== undefined) offered.add(id);
    for (const { id } of await signals.readByIds(ids)) offered.add(id);
    for (const { id } of await auctions.readByIds(ids)) offered.add(id);
    return records.filter(({ id }) => !offered.has(id));
  }

  async function suppressAliases(since = new Date(0)): Promise<void> {
    await list.refresh();
    if (list.size() === 0) return;
    for await (const page of namings.readSince(since)) {
      await list.suppressAliases(page.map(({ places }) => places));
      const suppressed = page.flatMap(({ record, places }) =>
        record !== undefined && places.some(list.isSuppressed) ? record : [],
      );
      const gone = await findUnpublishable(knex, suppressed);
      await noteSuppressed(knex, gone);
      const shown = await filterShown(knex, gone);
      if (shown.length === 0) continue;
      await inTransaction(knex, async (transaction) =>
        addSuppressed(transaction, shown, await raiseTakedownNumber(transaction)),
      );
      await takedowns.refresh();
    }
  }

  return {
    list,
    async suppress(wish) {
      await addToList(list, wish);
      await suppressAliases();
    },
    suppressAliases,
    async recheck(takedownNumber) {
      if ((await readTakedownNumber(knex)) !== takedownNumber) await suppressAliases();
    },
  };
}

async function addToList(list: SuppressionList, wish: SuppressionWish): Promise<void> {
  if ('countyFips' in wish && findTimeZone(wish.countyFips) === undefined)
    throw new OperatorError(
      `${JSON.stringify(wish.countyFips)} is no county: --county takes its five-digit FIPS code, such as 39035.`,
    );
  try {
    if ('address' in wish) await list.suppressAddress(wish.address, wish.reason);
    else await list.suppressParcel(wish, wish.reason);
  } catch (error) {
    if (error instanceof SuppressionError) throw new OperatorError(error.message);
    throw error;
  }
}
