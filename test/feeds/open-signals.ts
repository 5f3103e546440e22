import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { Prover } from '../../src/contract/prover.js';
import { concatBytes, renderText } from '../../src/contract/rendered.js';
import type { Database } from '../../src/db/database.js';
import { createFeedPublisher } from '../../src/feeds/feed-publisher.js';
import { keptVersions } from '../../src/feeds/feed.js';
import type { FeedKind } from '../../src/feeds/query/feed-kind.js';
import { createFeedStore } from '../../src/feeds/store/feed-store.js';
import { createPageTokens } from '../../src/feeds/page-token.js';
import {
  signalKind,
  type SignalColumns,
  type SignalFilter,
  type SignalRank,
} from '../../src/feeds/query/signal-kind.js';
import { scriptTakedowns } from './scripted-takedowns.js';

const now = (): Date => new Date('2026-11-22T12:00:00.000Z');
export const idOf = (id: number): string => `00000000-0000-4000-8000-00000000000${id}`;
export const { packing: _, ...heldKind } = signalKind;

export type TestKind = FeedKind<SignalRank, SignalColumns, SignalFilter>;
/** A record is its number and its amount. */
type TestRecord = readonly [number, number];

/** This contract has no records of less than nothing. */
const prover: Prover<TestRecord> = {
  prove: () => assert.fail('Nothing is rendered here.'),
  render: () => assert.fail('Nothing is rendered here.'),
  sealOf: () => assert.fail('Nothing is sealed here.'),
  load(json) {
    if ((JSON.parse(json) as TestRecord)[1] < 0) throw new Error('below nothing');
    return renderText(json);
  },
};

/** A feed over a database, with what was asked of it when texts were read. */
export async function openSignals(
  { knex }: Database,
  kind: TestKind,
  onStep: (step: string) => void | Promise<void> = () => {},
) {
  const store = createFeedStore(knex, kind);
  const { takedowns, suppress } = scriptTakedowns(now);
  const asked: (readonly string[])[] = [];
  const { feed, refresh, filterPublished } = await createFeedPublisher<
    SignalColumns,
    SignalRank,
    SignalColumns,
    SignalFilter,
    { readonly full: TestRecord }
  >({
    store: {
      ...store,
      async *readChanges(after, upTo) {
        await onStep('begin');
        yield* store.readChanges(after, upTo);
        await onStep('readChanges');
      },
      readBodies(view, ids, version) {
        asked.push(ids);
        return store.readBodies(view, ids, version);
      },
    },
    kind: {
      ...kind,
      async createIndex(records, yieldTurn) {
        if (records.length > 0) await onStep('createIndex');
        return kind.createIndex(records, yieldTurn);
      },
    },
    render: () => assert.fail('Nothing is rendered here.'),
    provers: { full: prover },
    sliceSize: 2,
    takedowns,
    tokens: createPageTokens(['a secret of these tests, long enough']),
    now,
    log: pino({ level: 'silent' }),
  });

  async function publish(amounts: Readonly<Record<number, number>>, retired: readonly number[] = []): Promise<void> {
    const draft = await store.begin();
    const records = Object.entries(amounts).map(([number, amountCents]) => {
      const id = idOf(Number(number));
      const rest = { sources: '', county: 'cook', signalType: 'tax_delinquent', hasAddress: true, lastSeenMs: 1 };
      return {
        id,
        columns: JSON.stringify({ id, amountCents, ...rest }),
        bodies: { full: { text: JSON.stringify([Number(number), amountCents]) }, basic: undefined },
        placeKeys: [],
        hash: '',
      };
    });
    await store.write(draft, records);
    await store.retire(draft, retired.map(idOf));
    await store.commitVersion(draft, { at: now() }, now);
    await store.discardSuperseded(draft.version - keptVersions);
  }

  /** How often the database has a record, retired or not. */
  async function countRows(id: number): Promise<number> {
    return (await knex('published_records').where({ id: idOf(id) })).length;
  }

  /** Keeps a copy of what the database has published, which the returned function brings back. */
  async function keepCopy(): Promise<() => Promise<void>> {
    const tables = ['feed_versions', 'published_records'];
    for (const table of tables) await knex.raw(`CREATE TABLE copy_of_${table} AS SELECT * FROM ${table}`);
    return async () => {
      for (const table of tables) {
        await knex(table).delete();
        await knex.raw(`INSERT INTO ${table} SELECT * FROM copy_of_${table}`);
      }
    };
  }

  async function read(version?: number): Promise<unknown> {
    const { body } = await feed.page('full', { filter: {}, limit: 10, ...(version !== undefined && { version }) });
    return JSON.parse(Buffer.from(concatBytes(body)).toString('utf8'));
  }
  return { feed, publish, refresh, read, asked, filterPublished, suppress, countRows, keepCopy };
}
