import type { Knex } from 'knex';
import { valueOf } from '../../absence.js';
import { groupRows } from '../../db/sql/group-rows.js';
import { lastSeen } from '../../db/sql/last-seen.js';
import { pageIds } from '../../db/sql/page-ids.js';
import { sourceChanged, sourceInForce } from '../../db/sql/source-in-force.js';
import { possiblePlaces } from '../parcels/complete-address.js';
import { findRollPlaces, toWantedParcel, unlisted } from '../parcels/parcel-reader.js';
import { namingOf, type SuppressionList, withUnshownPlaces } from '../../policy/suppression-list.js';
import type { Auction } from './auction.js';
import { type AuctionRow, rowToAuction, type StatusRow } from './row-to-auction.js';

/** A changed sale; `auction` is undefined when it may no longer be offered. */
export interface AuctionChange {
  readonly id: string;
  readonly auction: Auction | undefined;
}

export interface AuctionReaderPorts {
  readonly knex: Knex;
  readonly suppression: SuppressionList;
  readonly now: () => Date;
}

export type AuctionReader = ReturnType<typeof createAuctionReader>;

const pageSize = 200;

/**
 * Reads sales of sources that are configured, have a licence in force and may resell, unless address or parcel is
 * suppressed. State policy removes the defendant, a source's licence the fields it does not show. Of several sources of
 * a sale, the one that changed last counts, among those that still show it.
 */
export function createAuctionReader({ knex, suppression, now }: AuctionReaderPorts) {
  const read = (ids: readonly string[]) => readAuctions({ knex, suppression, now }, ids);
  const readChanges = async (ids: readonly string[]): Promise<readonly AuctionChange[]> => {
    const auctions = new Map((await read(ids)).map((auction) => [auction.id, auction]));
    return ids.map((id) => ({ id, auction: auctions.get(id) }));
  };
  return {
    /** All sales that may be offered, including past ones, in chunks of at most 200, ordered by id. */
    async *readOffered(): AsyncIterable<readonly Auction[]> {
      await suppression.refresh();
      for await (const ids of pageIds(knex, allIds, {}, pageSize)) {
        const auctions = await read(ids);
        if (auctions.length > 0) yield auctions;
      }
    },
    /**
     * The sales whose content, status, address or source licence changed at or after `since`; all sales when a licence
     * or a parcel roll changed; before them the sales `others`. Seeing a sale again unchanged is no change, nor is a
     * new day.
     */
    async *changedSince(since: Date, others: readonly string[] = []): AsyncIterable<readonly AuctionChange[]> {
      await suppression.refresh();
      if (others.length > 0) yield await readChanges(others);
      const { rows } = await knex.raw<{ rows: unknown[] }>(wideChanges, { now: now(), since });
      const isAll = rows.length > 0;
      for await (const ids of pageIds(knex, isAll ? allIds : changedIds, isAll ? {} : { since }, pageSize))
        yield await readChanges(ids.filter((id) => !others.includes(id)));
    },
    /** The given sales that may be offered, ordered by id. */
    async readByIds(ids: readonly string[]): Promise<readonly Auction[]> {
      await suppression.refresh();
      return ids.length === 0 ? [] : read(ids);
    },
    /** The given sales whose source key now belongs to another sale, each with the current id. */
    async findReplaced(
      ids: readonly string[],
      transaction = knex,
    ): Promise<readonly { readonly former: string; readonly current: string }[]> {
      const { rows } = await transaction.raw<{ rows: { former: string; current: string }[] }>(replaced, {
        ids,
        now: now(),
      });
      return rows;
    },
  };
}

/** The given sales that are offered, ordered by id. */
async function readAuctions(
  { knex, suppression, now }: AuctionReaderPorts,
  ids: readonly string[],
): Promise<Auction[]> {
  const { rows } = await knex.raw<{ rows: AuctionRow[] }>(offeredRows, { ids: [...ids], now: now() });
  const { rows: statuses } = await knex.raw<{ rows: (StatusRow & StatusKey)[] }>(statusRows, { ids: [...ids] });
  const histories = groupRows(statuses, (status) => `${status.id} ${status.source_name}`);
  const wanted = rows.flatMap((row) => toWanted(row) ?? []);
  const findPlaces = await findRollPlaces(knex, wanted, now());
  return [...groupRows(rows, ({ id }) => id).values()].flatMap((seen) => {
    const [first] = seen;
    if (first === undefined) return [];
    const parcel = toWanted(first);
    const roll = parcel === undefined ? unlisted : findPlaces(parcel);
    const naming = namingOf(first.content, possiblePlaces(first.content, roll));
    if (naming.some(suppression.isSuppressed)) return [];
    const auction = rowToAuction(
      { ...first, first_seen_at: new Date(Math.min(...seen.map((row) => row.first_seen_at.getTime()))) },
      histories.get(`${first.id} ${first.source_name}`) ?? [],
      // The roll's address would reveal a parcel number that is not shown.
      first.undisplayed_fields.includes('parcelId') ? unlisted : roll,
    );
    return withUnshownPlaces(auction, naming);
  });
}

function toWanted({ content: { countyFips, parcelId } }: AuctionRow) {
  return toWantedParcel(countyFips, valueOf(parcelId) ?? '');
}

interface StatusKey {
  readonly id: string;
  readonly source_name: string;
}

const allIds = `select id from auctions where id > :after order by id limit :pageSize`;

const changedIds = `
  select id from auctions where id > :after and changed_at >= :since order by id limit :pageSize`;

const wideChanges = `
  select 1 from sources src where src.delivers in ('auctions', 'parcels') and ${sourceChanged}
  union all (select 1 from parcels where changed_at >= :since limit 1)
  union all (select 1 from parcel_rolls where completed_at >= :since limit 1)
  limit 1`;

/** The first row of each sale is the one that counts. */
const offeredRows = `
  select s.id, s.source_name, s.sale_status, s.content, s.first_seen_at, src.licence_class,
    src.undisplayed_fields, ${lastSeen} as last_seen_at
  from auctions s join sources src on src.name = s.source_name
  where s.id = any(:ids) and s.replaced_at is null and ${sourceInForce}
  order by s.id, s.missing_run_id is not null, s.changed_at desc, s.source_name`;

/** A former id that another source still shows remains a sale. */
const replaced = `
  select distinct on (f.id) f.id as former, s.id as current
  from auctions f join auctions s on s.source_name = f.source_name and s.source_key = f.source_key
  where f.id = any(cast(:ids as uuid[])) and f.replaced_at is not null and s.replaced_at is null and s.id <> f.id
    and not exists (
      select 1 from auctions o join sources src on src.name = o.source_name
      where o.id = f.id and o.replaced_at is null and ${sourceInForce})
  order by f.id, s.changed_at desc, s.id`;

const statusRows = `
  select id, source_name, observed_at, status, sale_date
  from auction_statuses where id = any(:ids) order by id, source_name, observed_at`;
