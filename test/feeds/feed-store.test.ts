import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.js';
import { createFeedStore, type FeedStore } from '../../src/feeds/feed-store.js';
import { leadKind, type LeadColumns } from '../../src/feeds/lead-kind.js';
import { signalKind, type SignalColumns } from '../../src/feeds/signal-kind.js';
import { openTestDatabase } from '../support/database.js';

const now = (): Date => new Date('2026-11-22T12:00:00.000Z');
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const published = 1_000;

describe('some records of a feed of which the planner knows nothing yet', () => {
  let database: Database;
  let leads: FeedStore<LeadColumns>;
  before(async () => {
    database = await openTestDatabase();
    const signals: FeedStore<SignalColumns> = createFeedStore(database.knex, { kind: signalKind });
    await publish(signals);
    await database.knex.raw('analyze published_records');
    leads = createFeedStore(database.knex, { kind: leadKind });
    const draft = await leads.begin();
    await write(leads, draft);
    // Without a look at the table, as where another has just had one.
    await database.knex('feed_versions').where({ feed: leadKind.name }).update({ version: draft.version });
  });
  after(() => database.close());

  const asked = [3, 500, 997].map(idOf);

  const questions: Readonly<Record<string, () => Promise<{ readonly size: number }>>> = {
    'their hashes': () => leads.readHashes(1, asked),
    'which are published': () => leads.filterPublished(asked, 1),
    'their texts': () => leads.readBodies('full', asked, 1),
  };
  for (const [what, read] of Object.entries(questions)) {
    it(`are found without a look at the others: ${what}`, async () => {
      const { found, looked } = await countLooks(database, read);
      assert.equal(found.size, asked.length);
      assert.ok(looked <= 2 * asked.length, `${looked} rows were looked at`);
    });
  }
});

async function publish(store: FeedStore<SignalColumns>): Promise<void> {
  const draft = await store.begin();
  await write(store, draft);
  await store.commitVersion(draft, { at: now() }, now);
}

async function write(
  store: Pick<FeedStore<unknown>, 'write'>,
  draft: Parameters<FeedStore<unknown>['write']>[0],
): Promise<void> {
  const text = 'x'.repeat(200);
  const records = Array.from({ length: published }, (_, number) => ({
    id: idOf(number),
    columns: '{}',
    placeKeys: [],
    hash: '',
    bodies: { full: { text }, basic: undefined },
  }));
  await store.write(draft, records);
}

/** Of the tables, while something is read: what the database itself counts when it does it again. */
async function countLooks<T>({ knex }: Database, read: () => Promise<T>): Promise<{ found: T; looked: number }> {
  const statements: { sql: string; bindings: readonly unknown[] }[] = [];
  const listen = (statement: (typeof statements)[number]): void => void statements.push(statement);
  knex.on('query', listen);
  const found = await read();
  knex.removeListener('query', listen);
  const [statement] = statements;
  if (statement === undefined) throw new Error('Nothing was asked.');
  const connection = (await knex.client.acquireConnection()) as Connection;
  const explained = `explain (analyze, format json) ${statement.sql}`;
  const { rows } = await connection
    .query(explained, statement.bindings)
    .finally(() => knex.client.releaseConnection(connection));
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? assert.fail('There is no plan.');
  return { found, looked: countRows(plan) };
}

interface Connection {
  query(
    text: string,
    values: readonly unknown[],
  ): Promise<{ rows: readonly { 'QUERY PLAN': readonly { Plan: PlanNode }[] }[] }>;
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function countRows(node: PlanNode): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const inner = (node.Plans ?? []).reduce((sum, each) => sum + countRows(each), 0);
  return (node['Relation Name'] === undefined ? 0 : own) + inner;
}
