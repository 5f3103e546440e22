import type { Knex } from 'knex';
import { runNamed, type NamedStatement } from '../../db/sql/run-named.js';
import { createDraftStore, type DraftKind, type DraftStore } from './draft-store.js';
import type { Origin } from '../takedowns.js';
import { canRead } from './shape.js';
import { viewNames, type StoredBodies, type StoredRecord, type StoredText, type ViewName } from './published-record.js';

export interface FeedVersion {
  readonly version: number;
  readonly publishedAt: Date;
  /** The version has everything that was written before; undefined if that is unknown. */
  readonly completeAsOf: Date | undefined;
  /** See `Cutoff`. */
  readonly takedownNumber: number;
  /** False where its records lack columns that the feed reads: a version of before has published them. */
  readonly isReadable: boolean;
}

/** The published records of one feed. */
export interface FeedStore<Columns> extends DraftStore {
  currentVersion(): Promise<FeedVersion>;
  /** Hashes of the records of a version, of some ids, by id. */
  readHashes(version: number, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Ids of all records of a version, in chunks. */
  readIds(version: number): AsyncIterable<readonly string[]>;
  /** Records that changed after one version up to another, in chunks; a retired one as its id alone. */
  readChanges(after: number, upTo: number): AsyncIterable<readonly StoredRecord<Columns>[]>;
  /** Those of some records that are of a version and not retired in it, with what they are made of. */
  readOrigins(ids: readonly string[], version: number): Promise<readonly Origin[]>;
  /** The place keys of some records in all kept versions up to one, each once. */
  readPlaceKeys(ids: readonly string[], version: number): Promise<readonly string[]>;
  /** JSON texts of a view of the records of a version, by id; not of those that are retired in it. */
  readBodies(view: ViewName, ids: readonly string[], version: number): Promise<ReadonlyMap<string, StoredText>>;
}

/** The parts of a `FeedKind` that the store reads. */
interface StoredKind<Columns> extends DraftKind {
  readonly packing?: object;
  readonly holdsBodies?: boolean;
  readColumns(json: Readonly<Record<string, unknown>>): Columns;
}

/**
 * Keeps the records of a feed in `published_records`. The JSON texts of a feed that does not hold them stay in the
 * database: they are empty in what `readChanges` brings.
 */
export function createFeedStore<Columns>(knex: Knex, kind: StoredKind<Columns>): FeedStore<Columns> {
  const feed = kind.name;
  const isHeld = kind.holdsBodies ?? kind.packing === undefined;
  const chunkSize = isHeld ? 100 : 500;
  const bodies = isHeld ? heldBodies : "'' AS full_json";

  /**
   * Downwards, as the indexes give the latest version of each record first. Never a range of versions: statistics that
   * do not know the latest yet promise next to no records in it, whereupon all that it has would be sorted for each
   * chunk.
   */
  async function* readChunks(
    comparison: '=' | '<=',
    version: number,
  ): AsyncGenerator<readonly StoredRecord<Columns>[]> {
    for (let last = beyondAllIds; ;) {
      const { rows } = await knex.raw<{ rows: RecordRow[] }>(
        `SELECT DISTINCT ON (id) id, retired, columns, ${bodies} FROM published_records
         WHERE feed = :feed AND version ${comparison} :version AND id < :last
         ORDER BY id DESC, version DESC LIMIT :chunkSize`,
        { feed, version, last, chunkSize },
      );
      if (rows.length > 0) yield rows.map((row) => toRecord(row, kind));
      if (rows.length < chunkSize) return;
      last = String(rows.at(-1)?.id);
    }
  }

  async function readOf<Row>(
    statement: NamedStatement,
    ids: readonly string[],
    version: number,
  ): Promise<readonly Row[]> {
    const { rows } = await runNamed(knex, statement, [feed, ids, version]);
    return rows as unknown as readonly Row[];
  }

  return {
    ...createDraftStore(knex, kind),
    async currentVersion() {
      const row = await knex('feed_versions').where({ feed }).first<VersionRow | undefined>();
      const isPublished = row !== undefined && row.complete_as_of !== null;
      return {
        version: isPublished ? Number(row.version) : 0,
        publishedAt: row?.published_at ?? new Date(0),
        completeAsOf: row?.complete_as_of ?? undefined,
        takedownNumber: Number(row?.takedowns ?? 0),
        isReadable: !isPublished || canRead(kind, row.shape),
      };
    },
    async readHashes(version, ids) {
      const rows = await readOf<{ readonly id: string; readonly hash: string }>(selectHashes, ids, version);
      return new Map(rows.map(({ id, hash }) => [id, hash]));
    },
    async *readIds(version) {
      for (let before = beyondAllIds; ;) {
        const { rows } = await knex.raw<{ rows: RecordState[] }>(selectIds, { feed, version, before, idsPerPage });
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.filter((row) => !row.retired).map(({ id }) => id);
        before = last.id;
      }
    },
    async *readChanges(after, upTo) {
      if (after === 0) return yield* readChunks('<=', upTo);
      const seen = new Set<string>();
      for (let version = upTo; version > after; version--) {
        for await (const chunk of readChunks('=', version)) {
          yield chunk.filter(({ id }) => !seen.has(id));
          if (version > after + 1) for (const { id } of chunk) seen.add(id);
        }
      }
    },
    async readOrigins(ids, version) {
      return ids.length === 0 ? [] : readOf<Origin>(selectOrigins, ids, version);
    },
    async readPlaceKeys(ids, version) {
      const { rows } = await knex.raw<{ rows: { key: string }[] }>(selectPlaceKeys, { feed, version, ids: [...ids] });
      return rows.map(({ key }) => key);
    },
    async readBodies(view, ids, version) {
      const rows = await readOf<TextRow>(selectTexts(view), ids, version);
      return new Map(rows.map(({ id, text, seal }) => [id, textIn(text, seal)]));
    },
  };
}

const heldBodies = viewNames.map((view) => `${view}_json, ${inBase64(`${view}_seal`)}`).join(', ');

function inBase64(column: string, name = column): string {
  return `encode(${column}, 'base64') AS ${name}`;
}

const beyondAllIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const idsPerPage = 2_000;

interface VersionRow {
  readonly version: string;
  readonly published_at: Date;
  readonly complete_as_of: Date | null;
  readonly takedowns: string;
  readonly shape: string;
}

interface RecordState {
  readonly id: string;
  readonly retired: boolean;
}

interface RecordRow extends RecordState, Partial<Record<BodyColumn, string | null>> {
  readonly columns: Readonly<Record<string, unknown>>;
}

type BodyColumn = `${ViewName}_${'json' | 'seal'}`;

interface TextRow {
  readonly id: string;
  readonly text: string | null;
  readonly seal: string | null;
}

function toRecord<Columns>(row: RecordRow, kind: StoredKind<Columns>): StoredRecord<Columns> {
  const { id } = row;
  if (row.retired) return { retired: true, id };
  return { retired: false, id, columns: kind.readColumns(row.columns), bodies: bodiesIn(row) };
}

function bodiesIn(row: RecordRow): StoredBodies {
  const texts = viewNames.map((view) => [view, textIn(row[`${view}_json`], row[`${view}_seal`])] as const);
  return Object.fromEntries(texts.filter(([view, { text }]) => view === 'full' || text !== '')) as StoredBodies;
}

function textIn(text?: string | null, seal?: string | null): StoredText {
  return { text: text ?? '', seal: seal ?? undefined };
}

/** What some records are in a version; nothing of those that are retired in it. */
function selectOf(what: string, columns: string): NamedStatement {
  return {
    name: `${what}-of-a-version`,
    text: `SELECT ${columns} FROM published_records_of($1, $2, $3) WHERE NOT retired`,
  };
}

/** No source is named `?`: a record without an origin is not shown. */
const selectOrigins = selectOf(
  'origins',
  "id, coalesce(columns ->> 'sources', '?') AS sources, columns ->> 'matched' AS matched",
);
const selectHashes = selectOf('hashes', `id, ${inBase64('content_hash', 'hash')}`);
const selectTexts = (view: ViewName) =>
  selectOf(`${view}-texts`, `id, ${view}_json AS text, ${inBase64(`${view}_seal`, 'seal')}`);

const selectIds = `
  SELECT DISTINCT ON (id) id, retired FROM published_records
  WHERE feed = :feed AND version <= :version AND id < :before ORDER BY id DESC, version DESC LIMIT :idsPerPage`;

const selectPlaceKeys = `
  SELECT DISTINCT unnest(place_keys) AS key FROM published_records
  WHERE feed = :feed AND id = ANY(cast(:ids AS uuid[])) AND version <= :version`;
