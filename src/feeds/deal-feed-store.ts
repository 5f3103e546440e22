import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { concatBytes } from '../contract/rendered.js';
import type { PublishedDeal } from './published-deal.js';
import { readPublishedRow, type StoredDeal } from './stored-deal.js';

/** The name under which the deals feed's version is kept. */
export const dealsFeedName = 'deals';
const readChunk = 50;

export interface FeedVersion {
  readonly version: number;
  readonly publishedAt: Date;
}

/** Writes and reads published deals. A version is visible to readers only once `commitVersion` has moved it. */
export interface DealFeedStore {
  currentVersion(): Promise<FeedVersion>;
  /** Hashes of what is published now, by id. */
  readHashes(version: number): Promise<ReadonlyMap<string, string>>;
  /** Removes what a publication that did not finish has left behind. */
  discardAbove(version: number): Promise<void>;
  writeDeals(version: number, deals: readonly PublishedDeal[]): Promise<void>;
  retireDeals(version: number, ids: readonly string[]): Promise<void>;
  /** Moves the version by one. False when another publisher was faster: nothing of this one counts then. */
  commitVersion(from: number, publishedAt: Date): Promise<boolean>;
  /** Drops records that no reader of the current version needs. */
  discardSuperseded(version: number): Promise<void>;
  /** Records that changed after one version up to another, in chunks; a retired one as its id alone. */
  readChanges(after: number, upTo: number): AsyncIterable<readonly StoredDeal[]>;
}

export function createDealFeedStore(knex: Knex): DealFeedStore {
  return {
    async currentVersion() {
      const row = await knex('feed_versions')
        .where({ feed: dealsFeedName })
        .first<{ version: string; published_at: Date } | undefined>();
      return row === undefined
        ? { version: 0, publishedAt: new Date(0) }
        : { version: Number(row.version), publishedAt: row.published_at };
    },
    async readHashes(version) {
      const { rows } = await knex.raw<{ rows: { id: string; content_hash: Buffer; retired: boolean }[] }>(
        'SELECT DISTINCT ON (id) id, content_hash, retired FROM published_deals WHERE version <= ? ORDER BY id, version DESC',
        [version],
      );
      return new Map(rows.filter((row) => !row.retired).map((row) => [row.id, row.content_hash.toString('base64')]));
    },
    async discardAbove(version) {
      await knex('published_deals').where('version', '>', version).delete();
    },
    async writeDeals(version, deals) {
      await knex('published_deals').insert(deals.map((deal) => toRow(version, deal)));
    },
    async retireDeals(version, ids) {
      await knex.raw(
        `INSERT INTO published_deals
           SELECT DISTINCT ON (id) id, ?::bigint, true, content_hash, state, city, price_cents, cap_hundredths, units, deal_score,
             confidence_hundredths, rental_status, dscr_computed, last_verified, '', '' FROM published_deals
           WHERE id = ANY(?::uuid[]) AND version < ? ORDER BY id, version DESC`,
        [version, [...ids], version],
      );
    },
    async commitVersion(from, publishedAt) {
      const { rowCount } = await knex.raw<{ rowCount: number }>(
        `INSERT INTO feed_versions (feed, version, published_at) VALUES (?, ?, ?)
         ON CONFLICT (feed) DO UPDATE SET version = excluded.version, published_at = excluded.published_at
         WHERE feed_versions.version = ?`,
        [dealsFeedName, from + 1, publishedAt, from],
      );
      return rowCount === 1;
    },
    async discardSuperseded(version) {
      await knex.raw(
        `DELETE FROM published_deals WHERE version < ? AND EXISTS (
           SELECT 1 FROM published_deals AS newer WHERE newer.id = published_deals.id AND newer.version > published_deals.version
             AND newer.version <= ?)`,
        [version, version],
      );
    },
    async *readChanges(after, upTo) {
      let last = '00000000-0000-0000-0000-000000000000';
      for (;;) {
        const { rows } = await knex.raw<{ rows: Record<string, unknown>[] }>(
          `SELECT DISTINCT ON (id) * FROM published_deals WHERE version > ? AND version <= ? AND id > ?
           ORDER BY id, version DESC LIMIT ?`,
          [after, upTo, last, readChunk],
        );
        if (rows.length > 0) yield rows.map(readPublishedRow);
        if (rows.length < readChunk) return;
        last = String(rows.at(-1)?.['id']);
      }
    },
  };
}

/** The hash by which a republication finds out that nothing changed. */
export function contentHash(deal: PublishedDeal): Buffer {
  return createHash('sha256').update(concatBytes(deal.full)).update(concatBytes(deal.basic)).digest();
}

function toRow(version: number, deal: PublishedDeal): Record<string, unknown> {
  return {
    id: deal.id,
    version,
    retired: false,
    content_hash: contentHash(deal),
    state: deal.state,
    city: deal.city,
    price_cents: deal.priceCents ?? null,
    cap_hundredths: deal.capHundredths ?? null,
    units: deal.units ?? null,
    deal_score: deal.dealScore,
    confidence_hundredths: deal.confidenceHundredths,
    rental_status: deal.rentalStatus,
    dscr_computed: deal.dscrComputed,
    last_verified: deal.lastVerified,
    full_json: Buffer.from(concatBytes(deal.full)).toString('utf8'),
    basic_json: Buffer.from(concatBytes(deal.basic)).toString('utf8'),
  };
}
