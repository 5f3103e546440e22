import { createAuctionReader } from '../counties/auctions/auction-reader.js';
import { createSignalReader } from '../counties/signals/signal-reader.js';
import type { Database } from '../db/database.js';
import { inTransaction } from '../db/transaction.js';
import {
  addSuppressed,
  filterShown,
  findPublishedAt,
  raiseTakedownNumber,
  readTakedownNumber,
  type RecordOfFeed,
} from '../feeds/store/takedown-store.js';
import type { Takedowns } from '../feeds/takedowns.js';
import { createListingReader } from '../listings/listing-reader.js';
import { createSuppressionList, type SuppressionList } from '../policy/suppression-list.js';
import { createSuppressionStore, type TakeDown } from '../policy/suppression-store.js';
import { createNamingReader } from '../sources/naming-reader.js';

/** The suppression list, and the records that are taken down with what stands on it. */
export interface Suppressions {
  /** What is put on it takes down what is published under its address or parcel, in the same transaction. */
  readonly list: SuppressionList;
  /**
   * Carries what is suppressed over to what records that changed since call the same properties, and takes those
   * records down; all records by default. It reads nothing while nothing is suppressed. Safe to run again, and beside
   * anything else.
   */
  carryOver(since?: Date): Promise<void>;
  /** Does the same for all records where something was taken down that a version in the making does not know of. */
  recheck(without: number): Promise<void>;
}

type Connection = Database['knex'];

export interface SuppressionsPorts {
  readonly knex: Connection;
  /** Of the hashes on the list. */
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
      await addSuppressed(transaction, await leaveOutOffered(transaction, published), number);
    });
    await takedowns.refresh();
  };
  const list = createSuppressionList(createSuppressionStore(knex, takeDown), key, now);
  const namings = createNamingReader(knex, now);

  /** Those of some records that are not offered, as nothing of a suppressed property is. The list is that in memory. */
  async function leaveOutOffered(transaction: Connection, records: readonly RecordOfFeed[]): Promise<RecordOfFeed[]> {
    const suppression = { ...list, refresh: () => Promise.resolve() };
    const ids = records.map(({ id }) => id);
    const offered = new Set<string>();
    for await (const chunk of createListingReader(transaction, now, suppression).readSome(ids))
      for (const { id, listing } of chunk) if (listing !== undefined) offered.add(id);
    const ports = { knex: transaction, suppression, now };
    for (const { id } of await createSignalReader(ports).readByIds(ids)) offered.add(id);
    for (const { id } of await createAuctionReader(ports).readByIds(ids)) offered.add(id);
    return records.filter(({ id }) => !offered.has(id));
  }

  async function carryOver(since = new Date(0)): Promise<void> {
    await list.refresh();
    if (list.size() === 0) return;
    for await (const page of namings.readSince(since)) {
      await list.carryOver(page.map(({ places }) => places));
      const suppressed = page.flatMap(({ record, places }) =>
        record !== undefined && places.some(list.isSuppressed) ? record : [],
      );
      const shown = await leaveOutOffered(knex, await filterShown(knex, suppressed));
      if (shown.length === 0) continue;
      await inTransaction(knex, async (transaction) =>
        addSuppressed(transaction, shown, await raiseTakedownNumber(transaction)),
      );
      await takedowns.refresh();
    }
  }

  return {
    list,
    carryOver,
    async recheck(without) {
      if ((await readTakedownNumber(knex)) !== without) await carryOver();
    },
  };
}
