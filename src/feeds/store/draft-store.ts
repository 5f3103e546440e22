import type { Knex } from 'knex';
import { analyzeGrown } from '../../db/analyze-grown.js';
import { joinTexts, splitTexts } from '../../db/sql/joined-texts.js';
import { inTransaction } from '../../db/transaction.js';
import type { Cutoff } from '../query/cutoff.js';
import { commitVersion, ofPublication } from './commit-version-store.js';
import { commonShape, shapeOf, type Shaped } from './shape.js';
import { viewNames, type RecordToStore } from './published-record.js';

/** The next version of a feed, as one publication writes it. */
export interface DraftVersion {
  readonly version: number;
  /** The publication that writes it. */
  readonly publication: string;
  /** The shape of the version before, which records keep unless they are written again. */
  readonly shapeBefore: string;
}

/** What is written with a version, or not at all. It may run again, and uses the given transaction alone. */
export type Beside = (transaction: Knex, draft: DraftVersion) => Promise<void>;

export interface CommitOptions {
  /** Each record of the version is as it would be written now; default: only what was written. */
  readonly isWhole?: boolean;
  readonly beside?: Beside | undefined;
}

/** Another publication of the feed has begun since this one did: nothing of this one counts. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';

  constructor() {
    super('Another publication of the feed has begun meanwhile; nothing of this one is published.');
  }
}

/** Writes the versions of one feed. A version is visible to readers only once `commitVersion` moved it. */
export interface DraftStore {
  /**
   * Begins a publication, and removes what others have left behind that did not finish. One that is under way elsewhere
   * writes nothing from then on: what stands in a draft is of one publication alone.
   */
  begin(): Promise<DraftVersion>;
  /** Writes records of a draft; one that was written before it replaces. @throws Overtaken */
  write(draft: DraftVersion, records: readonly RecordToStore[]): Promise<void>;
  retire(draft: DraftVersion, ids: readonly string[]): Promise<void>;
  /**
   * Makes the draft the feed's version, and keeps as of what it is complete, and what it changed where that is counted.
   * @throws Overtaken
   */
  commitVersion(draft: DraftVersion, cutoff: Cutoff, now: () => Date, options?: CommitOptions): Promise<void>;
  /** Notes that the version before needs no change to be complete as of then. */
  confirmVersion(draft: DraftVersion, cutoff: Cutoff, options?: CommitOptions): Promise<void>;
  /**
   * Drops records that no reader of this version or a later one needs, with their retirements: a process with an
   * earlier version in memory must then load the whole feed. `since`: only records replaced or retired in that version
   * or later.
   */
  discardSuperseded(version: number, since?: number): Promise<void>;
}

/** The parts of a `FeedKind` that a draft needs. */
export interface DraftKind extends Shaped {
  readonly isCounted?: boolean;
}

/** Writes to `published_records` and `feed_versions`. */
export function createDraftStore(knex: Knex, kind: DraftKind): DraftStore {
  const { name: feed, isCounted = false } = kind;
  const shapeAfter = ({ shapeBefore }: DraftVersion, isWhole: boolean): string =>
    isWhole || shapeBefore === '' ? shapeOf(kind) : commonShape(kind, shapeBefore);

  async function withBeside(
    beside: Beside | undefined,
    draft: DraftVersion,
    write: (db: Knex) => Promise<void>,
  ): Promise<void> {
    if (beside === undefined) return write(knex);
    await inTransaction(knex, async (transaction) => {
      await beside(transaction, draft);
      await write(transaction);
    });
  }

  return {
    async begin() {
      const { rows } = await knex.raw<{ rows: VersionRow[] }>(takeOver, { feed, never: new Date(0) });
      const [row] = rows;
      if (row === undefined) throw new Error('The database did not tell the version of a feed.');
      const version = Number(row.version);
      await knex.raw(deleteAbove, { feed, version });
      return { version: version + 1, publication: row.publication, shapeBefore: row.shape };
    },
    async write(draft, records) {
      const { rowCount } = await knex.raw<{ rowCount: number }>(insertRecords, { feed, ...draft, ...toTexts(records) });
      if (rowCount === 0 && records.length > 0) throw new Overtaken();
    },
    async retire(draft, ids) {
      await knex.raw(retireRecords, { feed, ...draft, ids: [...ids] });
    },
    async commitVersion(draft, { at: startedAt, takedownNumber = 0 }, now, { isWhole = false, beside } = {}) {
      // Other instances load the version at once: without statistics, each chunk would sort all of it.
      await analyzeGrown(knex);
      const commit = { feed, ...draft, startedAt, takedownNumber, shape: shapeAfter(draft, isWhole), isCounted };
      await withBeside(beside, draft, async (db) => {
        if (!(await commitVersion(db, commit, now))) throw new Overtaken();
      });
    },
    async confirmVersion(draft, { at, takedownNumber = 0 }, { isWhole = false, beside } = {}) {
      const shape = shapeAfter(draft, isWhole);
      const version = draft.version - 1;
      const confirmed = { feed, version, at, takedownNumber, shape, never: new Date(0) };
      await withBeside(beside, draft, async (db) => void (await db.raw(confirmVersion, confirmed)));
    },
    async discardSuperseded(version, since = 0) {
      if (version < 1) return;
      await knex.raw(deleteSuperseded, { feed, version, since });
    },
  };
}

interface VersionRow {
  readonly version: string;
  readonly publication: string;
  readonly shape: string;
}

function toTexts(records: readonly RecordToStore[]) {
  return {
    rows: JSON.stringify(records.map(toRow)),
    columns: joinTexts(records.map(({ columns }) => columns)),
    ...Object.fromEntries(viewNames.map((view) => [view, joinTexts(records.map(({ bodies }) => bodies[view]?.text))])),
  };
}

function toRow({ id, hash, placeKeys, bodies }: RecordToStore) {
  const seals = Object.fromEntries(viewNames.map((view) => [`${view}_seal`, bodies[view]?.seal]));
  return { id, hash, place_keys: placeKeys.length === 0 ? undefined : placeKeys, ...seals };
}

const takeOver = `
  INSERT INTO feed_versions (feed, version, published_at, publication) VALUES (:feed, 0, :never, gen_random_uuid())
  ON CONFLICT (feed) DO UPDATE SET publication = excluded.publication
  RETURNING version, publication, shape`;

/** The lock prevents a takeover during a statement; after a takeover the former publication writes nothing more. */
export const isOurs = `EXISTS (SELECT 1 FROM feed_versions WHERE ${ofPublication} FOR SHARE)`;

/** SQL: something of each view, as a list. */
function eachView(of: (view: string) => string): string {
  return viewNames.map(of).join(', ');
}

/** The rows travel in five texts: so many values of their own would cost the driver more than the database. */
const insertRecords = `
  INSERT INTO published_records (feed, id, version, retired, content_hash, columns, place_keys,
    ${eachView((view) => `${view}_json, ${view}_seal`)})
  SELECT :feed, r.id, :version, false, decode(r.hash, 'base64'), cast(r.columns AS jsonb), r.place_keys,
    ${eachView((view) => `r.${view}_json, decode(r.${view}_seal, 'base64')`)}
  FROM ROWS FROM (
    json_to_recordset(cast(:rows AS json))
      AS (id uuid, hash text, place_keys text[], ${eachView((view) => `${view}_seal text`)}),
    ${splitTexts(':columns')}, ${eachView((view) => splitTexts(`:${view}`))})
    AS r(id, hash, place_keys, ${eachView((view) => `${view}_seal`)}, columns, ${eachView((view) => `${view}_json`)})
  WHERE ${isOurs}
  ON CONFLICT (feed, id, version) DO UPDATE SET retired = false, content_hash = excluded.content_hash,
    columns = excluded.columns, place_keys = excluded.place_keys,
    ${eachView((view) => `${view}_json = excluded.${view}_json, ${view}_seal = excluded.${view}_seal`)}`;

const retireRecords = `
  INSERT INTO published_records (feed, id, version, retired, content_hash, columns, full_json)
  SELECT :feed, r.id, :version, true, '', '{}', '' FROM unnest(cast(:ids AS uuid[])) AS r(id)
  WHERE ${isOurs}
  ON CONFLICT (feed, id, version) DO UPDATE SET retired = true, content_hash = '', columns = '{}', place_keys = NULL,
    ${eachView((view) => `${view}_json = excluded.${view}_json, ${view}_seal = NULL`)}`;

const deleteAbove = `
  DELETE FROM published_records WHERE feed = :feed
    AND version > greatest(:version, (SELECT f.version FROM feed_versions AS f WHERE f.feed = :feed))`;

const confirmVersion = `
  INSERT INTO feed_versions (feed, version, published_at, complete_as_of, takedowns, shape)
  VALUES (:feed, :version, :never, :at, :takedownNumber, :shape)
  ON CONFLICT (feed) DO UPDATE SET complete_as_of = excluded.complete_as_of, takedowns = excluded.takedowns,
    shape = excluded.shape
  WHERE feed_versions.version = :version`;

// Materialized: without statistics the planner would recompute it for every row.
const deleteSuperseded = `
  WITH newest AS MATERIALIZED (
    SELECT id, max(version) AS version FROM published_records
    WHERE feed = :feed AND version >= :since AND version <= :version GROUP BY id)
  DELETE FROM published_records AS r USING newest
  WHERE r.feed = :feed AND r.id = newest.id AND r.version <= newest.version
    AND (r.version < newest.version OR r.retired)`;
