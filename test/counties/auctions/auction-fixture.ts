import assert from 'node:assert/strict';
import { createAuctionReader } from '../../../src/counties/auctions/auction-reader.js';
import { isUpcoming, type Auction, type ObservedAuction } from '../../../src/counties/auctions/auction.js';
import type { Database } from '../../../src/db/database.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import type { Licence, RowReject } from '../../../src/sources/source.js';
import { observeParcel } from '../parcels/observed-parcel.js';
import { openSuppression } from '../../policy/suppression.js';
import { createScriptedDelivery } from '../../sources/ingest/scripted-delivery.js';
import { clock, ingestOptions } from '../../sources/ingest/scripted-source.js';

/** Properties of a source's delivery besides its rows. */
interface Delivery {
  readonly name?: string;
  readonly licence?: Licence;
  readonly removedKeys?: readonly string[];
  readonly watermark?: string;
}

/** Reads sales into a database as deliveries, and reads the offered ones back. */
export function openAuctionFixture(database: () => Database) {
  const reader = () => {
    const { knex } = database();
    return createAuctionReader({ knex, suppression: openSuppression(knex), now: () => clock.now });
  };
  const readAll = async () => {
    const auctions: Auction[] = [];
    for await (const chunk of reader().readOffered()) auctions.push(...chunk);
    return auctions;
  };
  return {
    reader,
    readAll,
    ingest(rows: readonly (ObservedAuction | RowReject)[], delivery: Delivery = {}) {
      const { removedKeys = [], watermark, ...rest } = delivery;
      const source = createScriptedDelivery('auctions', rest);
      source.deliver({ pages: [rows], removedKeys, ...(watermark === undefined ? {} : { watermark }) });
      return ingestSource(source, ingestOptions(database().knex));
    },
    /** Reads the roll with the sales' parcel. */
    readRoll(overrides: Parameters<typeof observeParcel>[0] = {}) {
      const roll = createScriptedDelivery('parcels', { name: 'roll' });
      roll.deliver({ pages: [[observeParcel(overrides)]] });
      return ingestSource(roll, ingestOptions(database().knex));
    },
    /** The days of a county's upcoming sales, soonest first. */
    async readUpcoming(countyFips: string): Promise<string[]> {
      const sales = (await readAll()).filter((sale) => sale.countyFips === countyFips && isUpcoming(sale, clock.now));
      return sales.map(({ saleDate }) => saleDate).sort();
    },
    async readKey(key: string) {
      return (await readAll()).find(({ sourceKey }) => sourceKey === key) ?? assert.fail(key);
    },
    /** Keys of changed sales; `gone` for those no longer offered. */
    async changes(since: Date, suppressed: readonly string[] = []) {
      const found: string[] = [];
      for await (const chunk of reader().changedSince(since, suppressed))
        found.push(...chunk.map(({ auction }) => auction?.sourceKey ?? 'gone'));
      return found.sort();
    },
  };
}
