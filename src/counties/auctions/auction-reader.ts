import type { Knex } from 'knex';
import { valueOf } from '../../absence.js';
import { groupRows } from '../../db/sql/group-rows.js';
import { lastSeen } from '../../db/sql/last-seen.js';
import { pageIds } from '../../db/sql/page-ids.js';
import { sourceChanged, sourceInForce } from '../../db/sql/source-in-force.js';
import { type NamedPlace, possiblePlaces } from '../parcels/complete-address.js';
import { createParcelReader, toWantedParcel, unlisted } from '../parcels/parcel-reader.js';
import { type Naming, type SuppressionList, unshownPlaceKeys } from '../../policy/suppression-list.js';
import type { Auction, ObservedAuction } from './auction.js';
import { isUpcoming } from './is-upcoming.js';
import { type AuctionRow, rowToAuction, type StatusRow } from './row-to-auction.js';

/** A changed sale; `auction` is undefined when it may no longer be offered. */
export interface AuctionChange {
  readonly id: string;
  readonly auction: Auction | undefined;
}

/** The sales of one county that may be offered. */
export interface AuctionCount {
  readonly countyFips: string;
  /** All sales, including past ones. */
  readonly total: number;
  readonly upcoming: number;
  /** First and last day of the upcoming sales, YYYY-MM-DD; undefined when there are none. */
  readonly nextSaleDate: string | undefined;
  readonly furthestSaleDate: string | undefined;
  /** Latest `lastSeenAt` of these sales. */
  readonly freshest: Date;
}

/** Reads the sales that may be offered now. */
export interface AuctionReader {
  /** All sales that may be offered, including past ones, in chunks of at most 200, ordered by id. */
  readOffered(): AsyncIterable<readonly Auction[]>;
  /**
   * The sales whose content, status, address or source licence changed at or after `since`; all sales when the
   * suppression list or a parcel roll changed. Seeing a sale again unchanged is no change, nor is a new day.
   */
  changedSince(since: Date, others?: readonly string[]): AsyncIterable<readonly AuctionChange[]>;
  /** One sale, if it may be offered. */
  readById(id: string): Promise<Auction | undefined>;
  /** The given sales that may be offered, ordered by id. */
  readByIds(ids: readonly string[]): Promise<readonly Auction[]>;
  countOffered(): Promise<AuctionCount[]>;
  /** The given sales whose source key now belongs to another sale, each with the current id. */
  findReplaced(ids: readonly string[]): Promise<readonly { readonly former: string; readonly current: string }[]>;
}

export interface AuctionReaderPorts {
  readonly knex: Knex;
  readonly suppression: SuppressionList;
  readonly now: () => Date;
}

const pageSize = 200;

/**
 * Reads sales of sources that are configured, have a licence in force and may resell, unless address or parcel is
 * suppressed. State policy removes the defendant, a source's licence the fields it does not show. Of several sources of
 * a sale, the one that changed last counts, among those that still show it.
 */
export function createAuctionReader({ knex, suppression, now }: AuctionReaderPorts): AuctionReader {
  const read = (ids: readonly string[]) => readAuctions({ knex, suppression, now }, ids);

  async function* readOffered(): AsyncGenerator<readonly Auction[]> {
    await suppression.refresh();
    for await (const ids of pageIds(knex, allIds, {}, pageSize)) {
      const auctions = await read(ids);
      if (auctions.length > 0) yield auctions;
    }
  }

  return {
    readOffered,
    async *changedSince(since, others = []) {
      await suppression.refresh();
      const readChanges = async (ids: readonly string[]): Promise<readonly AuctionChange[]> => {
        const auctions = new Map((await read(ids)).map((auction) => [auction.id, auction]));
        return ids.map((id) => ({ id, auction: auctions.get(id) }));
      };
      if (others.length > 0) yield await readChanges(others);
      const { rows } = await knex.raw<{ rows: unknown[] }>(wideChanges, { now: now(), since });
      const isAll = rows.length > 0;
      for await (const ids of pageIds(knex, isAll ? allIds : changedIds, isAll ? {} : { since }, pageSize))
        yield await readChanges(ids.filter((id) => !others.includes(id)));
    },
    async readByIds(ids) {
      await suppression.refresh();
      return ids.length === 0 ? [] : read(ids);
    },
    async readById(id) {
      await suppression.refresh();
      const [auction] = await read([id]);
      return auction;
    },
    countOffered: () => countAuctions(readOffered(), now()),
    async findReplaced(ids) {
      const { rows } = await knex.raw<{ rows: { former: string; current: string }[] }>(replaced, {
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
  const findPlaces = await createParcelReader(knex, now).findPlaces(wanted);
  return [...groupRows(rows, ({ id }) => id).values()].flatMap((seen) => {
    const [first] = seen;
    if (first === undefined) return [];
    const parcel = toWanted(first);
    const roll = parcel === undefined ? unlisted : findPlaces(parcel);
    const auction = rowToAuction(
      { ...first, first_seen_at: new Date(Math.min(...seen.map((row) => row.first_seen_at.getTime()))) },
      histories.get(`${first.id} ${first.source_name}`) ?? [],
      // The roll's address would reveal a parcel number that is not shown.
      first.undisplayed_fields.includes('parcelId') ? unlisted : roll,
    );
    const naming = toNaming(first.content, possiblePlaces(first.content, roll));
    return naming.some(suppression.isSuppressed) ? [] : withUnshown(auction, naming);
  });
}

function toWanted({ content: { countyFips, parcelId } }: AuctionRow) {
  return toWantedParcel(countyFips, valueOf(parcelId) ?? '');
}

function withUnshown(auction: Auction, naming: Naming): Auction {
  const keys = toNaming(auction, [auction]).flatMap((shown) => unshownPlaceKeys(naming, shown));
  return keys.length === 0 ? auction : { ...auction, unshownPlaceKeys: keys };
}

function toNaming({ state, countyFips, parcelId }: ObservedAuction, places: readonly NamedPlace[]): Naming {
  return places.map(({ address, city, zip }) => {
    const place = { street: valueOf(address), city: valueOf(city), state, zip: valueOf(zip) };
    return { ...place, countyFips, parcelId: valueOf(parcelId) };
  });
}

async function countAuctions(chunks: AsyncIterable<readonly Auction[]>, now: Date): Promise<AuctionCount[]> {
  const auctions: Auction[] = [];
  for await (const chunk of chunks) auctions.push(...chunk);
  return [...groupRows(auctions, ({ countyFips }) => countyFips)]
    .map(([countyFips, ofCounty]) => {
      const days = ofCounty
        .filter((auction) => isUpcoming(auction, now))
        .map(({ saleDate }) => saleDate)
        .sort();
      return {
        countyFips,
        total: ofCounty.length,
        upcoming: days.length,
        nextSaleDate: days[0],
        furthestSaleDate: days.at(-1),
        freshest: new Date(Math.max(...ofCounty.map(({ lastSeenAt }) => lastSeenAt.getTime()))),
      };
    })
    .sort((one, other) => (one.countyFips < other.countyFips ? -1 : 1));
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
