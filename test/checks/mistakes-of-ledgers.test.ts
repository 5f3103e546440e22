import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ChainClient } from '../../src/payments/chain/clients.js';
import type { CheckPorts } from '../../src/operator/checks/check.js';
import { checks } from '../../src/operator/checks/checks.js';
import type { DatabaseContent, DatabaseFacts } from '../../src/operator/checks/database-reader.js';
import { findProjectFile } from '../../src/project-file.js';
import { findNetwork } from '../../src/wire/networks.js';
import { find, payTo } from './look.js';

const at = new Date('2026-03-01T12:00:00Z');
const hoursBefore = (hours: number): Date => new Date(at.getTime() - hours * 3_600_000);
const good: DatabaseContent = {
  at,
  maxConnections: 100,
  instances: 1,
  leases: [],
  nextNonces: new Map(),
  feedsPublished: 4,
  differing: [],
  standings: [],
  differenceMicroUsd: '0',
  isEqual: true,
  lostSales: 0,
  auditedAt: hoursBefore(36),
  refundsDue: 0,
  oldestOpenSeconds: 900,
  jobsDone: new Map(),
  soldLately: true,
};

/** A database that says this of itself. */
function saying(
  content: Partial<DatabaseContent>,
  server: Partial<DatabaseFacts> = {},
): Pick<CheckPorts, 'readFacts' | 'readContent'> {
  const all = { ...good, ...content };
  const facts: DatabaseFacts = {
    ...{ at, version: 150_004, encoding: 'UTF8', user: 'deals', database: 'deals', mayCreate: true, isReadOnly: false },
    ...{
      unsafe: [],
      records: {},
      schema: { pending: [], newer: 0, fault: undefined },
      migrationWaits: [],
      rentTables: [],
      content: all,
      writeFault: undefined,
    },
    pooling: { mode: 'session', lacking: {} },
    ...server,
  };
  return { readFacts: async () => facts, readContent: async () => all };
}

describe('a database that says what is wrong is told in a sentence, with its cure', () => {
  const versions: readonly (readonly [says: Partial<DatabaseFacts>, sentence: string, cure: string])[] = [
    [
      { version: 140_011 },
      'The server in DATABASE_URL is PostgreSQL 14; version 15 or newer is needed.',
      'Upgrade it, or point DATABASE_URL at a newer one.',
    ],
    [{ encoding: 'LATIN1' }, 'The database is encoded as LATIN1.', 'createdb --encoding=UTF8 --template=template0'],
    [
      { version: 190_000 },
      'The server in DATABASE_URL is PostgreSQL 19, which nobody has tried.',
      'Use version 15 to 18.',
    ],
  ];
  for (const [says, sentence, cure] of versions)
    it(`database.version: ${JSON.stringify(says)}`, async () =>
      assert.deepEqual(await find('database.version', {}, saying({}, says)), { sentence, cure }));

  it('database.pooler: one that pools by transactions or statements, and no setting that says so', async () => {
    const meet = async (mode: 'transaction' | 'statement', values = {}) =>
      find('database.pooler', values, saying({}, { pooling: { mode, lacking: {} } }));
    assert.deepEqual(await meet('transaction'), {
      sentence: 'A pooler before the database pools by transactions, and DATABASE_POOLER does not say so.',
      cure: 'DATABASE_POOLER=transaction',
    });
    assert.equal(await meet('transaction', { DATABASE_POOLER: 'transaction' }), undefined);
    assert.deepEqual(await meet('statement'), {
      sentence: 'The pooler before the database pools by statements, and so allows no transactions.',
      cure: 'pool_mode = transaction in the pooler, and DATABASE_POOLER=transaction',
    });
  });

  it('database.session: a role without what each session needs behind a pooler', async () => {
    const server = saying({}, { pooling: { mode: 'transaction', lacking: { jit: 'off' } } });
    assert.deepEqual(await find('database.session', { DATABASE_POOLER: 'transaction' }, server), {
      sentence: 'Behind a pooler the role needs 1 defaults that it lacks.',
      cure: "ALTER ROLE CURRENT_USER IN DATABASE deals SET jit = 'off';\nThen RECONNECT in the pooler.",
    });
    assert.equal(await find('database.session', {}, server), undefined);
  });

  const ledgers: readonly (readonly [says: Partial<DatabaseContent>, sentence: string, cure: string])[] = [
    [
      { isEqual: false, lostSales: 2 },
      'The ledger does not equal the chain: 2 lost sales.',
      'npm run cli -- ledger audit',
    ],
    [{ refundsDue: 3 }, '3 refunds are due.', 'npm run cli -- ledger refunds'],
    [{ oldestOpenSeconds: 901 }, 'A payment is open for 901 seconds.', 'npm run cli -- ledger reconcile'],
    [{ auditedAt: hoursBefore(37) }, 'The last audit is 37 hours old.', 'npm run cli -- ledger audit'],
  ];
  for (const [says, sentence, cure] of ledgers)
    it(`ledger.equal: ${sentence}`, async () =>
      assert.deepEqual(await find('ledger.equal', {}, saying(says)), { sentence, cure }));

  it('ledger.equal and database.version: nothing, where all is within its bounds', async () => {
    for (const id of ['ledger.equal', 'database.version']) assert.equal(await find(id, {}, saying({})), undefined, id);
  });

  it('discovery.bazaar: nothing settled through a facilitator for a month', async () => {
    const through = { FACILITATOR_URL: 'http://127.0.0.1:1', RELAYER_PRIVATE_KEYS: undefined };
    assert.deepEqual(await find('discovery.bazaar', through, saying({ soldLately: false })), {
      sentence: 'No sale was settled through the facilitator in 30 days.',
      cure: 'Buy once yourself: npm run buy',
    });
    assert.equal(await find('discovery.bazaar', through, saying({})), undefined);
  });

  it('data.local: two instances with folders of their own, or with one source in two ways', async () => {
    const inside = { DATA_DIR: '/srv/data' };
    assert.deepEqual(await find('data.local', inside, saying({ instances: 2 })), {
      sentence: 'DROP_DIR /srv/data/drop is inside DATA_DIR, and 2 instances run: each may have its own.',
      cure: 'Set DROP_DIR to one path outside DATA_DIR that all instances read.',
    });
    assert.equal(await find('data.local', inside, saying({ instances: 1 })), undefined);
    assert.equal(await find('data.local', { ...inside, DROP_DIR: '/srv/drop' }, saying({ instances: 2 })), undefined);
    const differing = [{ source: 'my-broker', instances: ['blue', 'green'] }];
    assert.deepEqual(await find('data.local', {}, saying({ differing })), {
      sentence: 'The source my-broker is configured differently on blue and green.',
      cure: 'Give them the same SOURCES_FILE and drop folders.',
    });
  });

  it('data.unseen: each of several sources, and how many there are beside', async () => {
    const unseen = (name: string) =>
      ({ name, unseenSince: at, lastSeen: { by: 'blue', at } }) as DatabaseContent['standings'][number];
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const found = await find('data.unseen', {}, saying({ standings: names.map(unseen) }));
    assert.match(
      found?.sentence ?? '',
      /^No instance has seen the source a since 2026-03-01T12:00:00\.000Z; blue saw it last\. No .* source e since .* So it is with 2 more\.$/,
    );
    assert.match(found?.cure ?? '', /^npm run cli -- sources remove a\n.*sources remove e$/s);
  });

  it('data.late: a job without success for one and a half of its periods', async () => {
    const dayMs = 86_400_000;
    const timetable = ['listings', 'audit', 'reconcile'].map((job) => ({
      job,
      periodMs: job === 'reconcile' ? 1 : dayMs,
    }));
    const done = (listings: number) =>
      find(
        'data.late',
        {},
        {
          timetable,
          ...saying({
            jobsDone: new Map([
              ['listings', listings],
              ['reconcile', 9_999],
            ]),
          }),
        },
      );
    assert.equal(await done(36 * 3_600), undefined);
    assert.deepEqual(await done(36 * 3_600 + 60), {
      sentence: '1 jobs have not succeeded for one and a half of their periods: listings.',
      cure: 'npm run cli -- run listings',
    });
  });

  it('relayer.foreign: nonces that another program used, or took from a settlement', async () => {
    const relayer = '0x00000000000000000000000000000000000b0b00';
    const network = findNetwork('eip155:84532') ?? assert.fail();
    const client = { getTransactionCount: async () => 7 } as unknown as ChainClient;
    const chain = { client, network, payTo, relayers: [relayer] } as const;
    const countUnknownNonces = async (_: string, used: number) => used - 5;
    const cure = 'Make a new key for this service, and put it first in RELAYER_PRIVATE_KEYS.';
    const sentence = `2 nonces of the relayer ${relayer} were used in two days, and bought nothing that this database knows of.`;
    const knowing = (next: number) =>
      find(
        'relayer.foreign',
        {},
        { chain, countUnknownNonces, ...saying({ nextNonces: new Map([[`eip155:84532 ${relayer}`, next]]) }) },
      );
    assert.deepEqual(await knowing(7), { sentence, cure });
    assert.deepEqual(await knowing(5), {
      sentence,
      cure: 'First npm run cli -- ledger rebuild. If nonces are left, another program uses the key: make a new one.',
    });
    const none = async () => 0;
    const taken = (hours: number) =>
      find(
        'relayer.foreign',
        {},
        { chain, countUnknownNonces: none, now: () => at, displacedAt: () => hoursBefore(hours) },
      );
    assert.deepEqual(await taken(23), {
      sentence: 'Another program took a nonce of a relayer at 2026-02-28T13:00:00.000Z.',
      cure,
    });
    assert.equal(await taken(25), undefined);
  });

  it('ledger.behind: nonces on the chain that the ledger never saw', async () => {
    const relayer = '0x00000000000000000000000000000000000b0b00';
    const network = findNetwork('eip155:84532') ?? assert.fail();
    const client = { getTransactionCount: async () => 7 } as unknown as ChainClient;
    const chain = { client, network, payTo, relayers: [relayer] } as const;
    const knowing = (next: number) =>
      find('ledger.behind', {}, { chain, ...saying({ nextNonces: new Map([[`eip155:84532 ${relayer}`, next]]) }) });
    assert.deepEqual(await knowing(5), {
      sentence: `The relayer ${relayer} has used 7 nonces, and this database knows 5: it may be an older copy.`,
      cure: 'npm run cli -- ledger rebuild',
    });
    assert.equal(await knowing(7), undefined);
  });
});

describe('the mistakes', () => {
  it('are tried of each check', () => {
    const names = ['', '-of-chains', '-of-databases', '-of-ledgers', '-of-proxies'];
    const text = names.map((name) => readFileSync(findProjectFile(`test/checks/mistakes${name}.test.ts`), 'utf8'));
    const untried = checks.filter(({ id }) => !text.some((each) => new RegExp(`['\`]${id}(:|'[,)])`).test(each)));
    assert.deepEqual(
      untried.map(({ id }) => id),
      [],
    );
  });
});
