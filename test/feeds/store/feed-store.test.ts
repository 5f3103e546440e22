import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import type { Database } from '../../../src/db/database.js';
import { createFeedStore, type FeedStore } from '../../../src/feeds/store/feed-store.js';
import { leadKind, type LeadColumns } from '../../../src/feeds/query/lead-kind.js';
import { signalKind } from '../../../src/feeds/query/signal-kind.js';
import { countPages } from '../../support/count-pages.js';
import { openTestDatabase } from '../../support/database.js';

const now = (): Date => new Date('2026-11-22T12:00:00.000Z');
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const published = 1_000;

describe('some records of a feed', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  const asked = [3, 500, 997].map(idOf);

  type Question = (leads: FeedStore<LeadColumns>) => Promise<{ readonly size: number }>;

  async function assertFoundAtOnce(session: Knex, read: Question): Promise<void> {
    const leads = createFeedStore(session, leadKind);
    const { found, pages } = await countPages(session, 'published_records', () => read(leads));
    assert.equal(found.size, asked.length);
    assert.ok(pages <= 4 * asked.length, `${pages} pages were looked at`);
  }

  const questions: Readonly<Record<string, Question>> = {
    'their hashes': (leads) => leads.readHashes(1, asked),
    'what they are made of': async (leads) =>
      new Map((await leads.readOrigins(asked, 1)).map((each) => [each.id, each])),
    'their texts': (leads) => leads.readBodies('full', asked, 1),
  };
  for (const [what, read] of Object.entries(questions)) {
    it(`are found without a look at the others where the planner knows nothing of the feed yet: ${what}`, async () => {
      await publish(createFeedStore(database.knex, signalKind));
      await database.knex.raw('analyze published_records');
      await publishUnseen(database.knex);
      await database.knex.transaction((session) => assertFoundAtOnce(session, read));
    });

    it(`are found without a look at the others where they were asked for before there were any: ${what}`, async () => {
      await database.knex.transaction(async (session) => {
        await read(createFeedStore(session, leadKind));
        await publishUnseen(session);
        await assertFoundAtOnce(session, read);
      });
    });
  }
});

/** Without a look at the table, as where another has just had one. */
async function publishUnseen(knex: Knex): Promise<void> {
  const leads = createFeedStore(knex, leadKind);
  const draft = await leads.begin();
  await write(leads, draft);
  await knex('feed_versions').where({ feed: leadKind.name }).update({ version: draft.version });
}

async function publish(store: FeedStore<unknown>): Promise<void> {
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
