import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import { migrations } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/open-postgres.js';
import type { ChainClient } from '../../src/payments/chain/clients.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { createTransactionSigner } from '../../src/payments/settlement/relayer/transmitter.js';
import { findNetwork } from '../../src/wire/networks.js';
import { checks } from '../../src/operator/checks/checks.js';
import { administer, createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';
import { find, payTo } from './look.js';

const log = pino({ level: 'silent' });

describe('a PostgreSQL server that is made wrong is told in a sentence, with its cure', function () {
  // A pure limit: databases are made.
  this.timeout(120_000);
  let database: PostgresDatabase;
  let serverUrl: string;
  const role = 'deals_without_rights';

  before(async function () {
    serverUrl = requirePostgres(this);
    database = await createPostgresDatabase(serverUrl);
    await (await openPostgres({ url: database.url }, log)).close();
    await run(`drop role if exists ${role}`, serverUrl);
    await run(`create role ${role} login password 'secret-of-the-role'`, serverUrl);
  });
  after(async () => {
    if (database === undefined) return;
    await database.drop();
    await run(`drop role if exists ${role}`, serverUrl);
  });

  const run = (statement: string, url = database.url): Promise<void> => administer(url, statement);

  function at(changes: Partial<Record<'username' | 'pathname' | 'search', string>>, url = database.url): string {
    return Object.assign(new URL(url), changes).href;
  }

  it('finds nothing wrong with a good one, but that it may lose commits in tests', async () => {
    for (const { id } of checks.filter((each) => each.id.startsWith('database.') && each.id !== 'database.trust'))
      assert.equal(await find(id, { DATABASE_URL: database.url }), undefined, id);
    assert.deepEqual(await find('database.trust', { DATABASE_URL: database.url }), {
      sentence: 'The server may lose sales when its machine stops: fsync, full_page_writes off.',
      cure: 'ALTER SYSTEM SET fsync = on; ALTER SYSTEM SET full_page_writes = on; SELECT pg_reload_conf();',
    });
  });

  it('database.login: a database that does not exist, and TLS that it does not have', async () => {
    assert.deepEqual(await find('database.login', { DATABASE_URL: at({ pathname: '/nowhere' }) }), {
      sentence: 'The database in DATABASE_URL does not exist.',
      cure: 'createdb, with the name in DATABASE_URL',
    });
    assert.deepEqual(await find('database.login', { DATABASE_URL: at({ search: '?sslmode=verify-full' }) }), {
      sentence: 'The TLS of the database cannot be trusted.',
      cure: 'Give its certificate authority: NODE_EXTRA_CA_CERTS, and sslmode=verify-full.',
    });
    assert.deepEqual(await find('database.login', { DATABASE_URL: at({ username: 'nobody_here' }) }), {
      sentence: 'The database refuses this role from this machine.',
      cure: 'Give the role LOGIN, and a line in pg_hba.conf.',
    });
  });

  it('database.privilege: an empty database whose role may not create tables', async () => {
    const empty = await createPostgresDatabase(serverUrl);
    try {
      assert.deepEqual(await find('database.privilege', { DATABASE_URL: at({ username: role }, empty.url) }), {
        sentence: `The tables are to be made, and the role ${role} may not create any.`,
        cure: `GRANT USAGE, CREATE ON SCHEMA public TO ${role};`,
      });
      assert.equal(await find('database.privilege', { DATABASE_URL: empty.url }), undefined);
    } finally {
      await empty.drop();
    }
  });

  it('database.writable: read-only, and a table that takes no row', async () => {
    const cure = 'Free its disk, or give the writer address.';
    const readOnly = { DATABASE_URL: at({ search: '?options=-c%20default_transaction_read_only%3Don' }) };
    assert.deepEqual(await find('database.writable', readOnly), {
      sentence: 'The database cannot be written: it is read-only, or a replica.',
      cure,
    });
    await run('alter table instances add constraint full_disk check (false) not valid');
    try {
      assert.deepEqual(await find('database.writable', { DATABASE_URL: database.url }), {
        sentence:
          'The database cannot be written: new row for relation "instances" violates check constraint "full_disk".',
        cure,
      });
    } finally {
      await run('alter table instances drop constraint full_disk');
    }
  });

  it('database.schema: of a release that is too new', async () => {
    await run(`insert into knex_migrations (name, batch, migration_time) values ('002-made-up', 2, now())`);
    await run(`update schema_state set (level, release, oldest_level, oldest_release) = (2, '1.4.0', 2, '1.2.0')`);
    try {
      assert.deepEqual(await find('database.schema', { DATABASE_URL: database.url }), {
        sentence:
          'The database has schema level 2 of release 1.4.0. This program (1.0.0) knows level 1; the oldest that can use it ' +
          'is 1.2.0. Nothing was changed.',
        cure: 'Start release 1.2.0 or a later one.',
      });
    } finally {
      await run(`delete from knex_migrations where name = '002-made-up'`);
    }
  });

  it('database.schema: the tables of another program', async () => {
    await run(`update knex_migrations set name = 'another-' || name`);
    try {
      assert.deepEqual(await find('database.schema', { DATABASE_URL: database.url }), {
        sentence: 'This database was made by an unreleased version of the service.',
        cure:
          'Give the service an empty one: another DATABASE_URL, or without that another DATA_DIR (or remove the directory pg ' +
          'in it).',
      });
    } finally {
      await run(`update knex_migrations set name = substr(name, 9)`);
    }
  });

  it('database.schema: of a release before, while nobody may update it or a lock is waited for', async () => {
    const empty = await createPostgresDatabase(serverUrl);
    const [holder, waiter] = [createPostgresKnex({ url: empty.url }), createPostgresKnex({ url: empty.url })];
    try {
      const found = () => find('database.schema', { DATABASE_URL: empty.url, MIGRATE_AT_START: 'false' });
      assert.deepEqual(await found(), {
        sentence: `The database has schema level 0. This program (1.0.0) needs level 1. Due: ${migrations[0]?.name}.`,
        cure: 'npm run cli -- migrate',
      });
      assert.equal(await find('database.schema', { DATABASE_URL: empty.url }), undefined, 'the start does it');
      await run('create table knex_migrations_lock as select 0 as is_locked', empty.url);
      const holding = await holder.transaction();
      const pidOf = async (knex: Knex) => (await knex.raw('select pg_backend_pid() as pid')).rows[0].pid as number;
      await holding.raw('select from knex_migrations_lock for update');
      const waiting = await waiter.transaction();
      const pids = [await pidOf(waiting), await pidOf(holding)];
      const taken = waiting('knex_migrations_lock').update({ is_locked: 1 }).then();
      let met = await found();
      while (!met?.sentence.startsWith('Session')) met = await found();
      assert.deepEqual(met, {
        sentence: `Session ${pids[0]} updates the schema, and waits for a lock of session ${pids[1]}.`,
        cure: `Let that end, or end it: select pg_terminate_backend(${pids[1]});`,
      });
      await holding.rollback();
      await taken;
      await waiting.rollback();
    } finally {
      await Promise.all([holder.destroy(), waiter.destroy()]);
      await empty.drop();
    }
  });

  it('database.pool: pools that are larger than what the server takes', async () => {
    assert.deepEqual(await find('database.pool', { DATABASE_URL: database.url, DATABASE_POOL_SIZE: '500' }), {
      sentence: '1 instances may open 505 connections, and the server takes 100.',
      cure: 'ALTER SYSTEM SET max_connections = 505, and a restart of the server; or a smaller DATABASE_POOL_SIZE.',
    });
  });

  it('machine.clock: another time than that of the database', async () => {
    const now = () => new Date(Date.now() + 61_000);
    const found = await find('machine.clock', { DATABASE_URL: database.url }, { now });
    assert.match(
      found?.sentence ?? '',
      /^The clock of this machine is 6[01] seconds ahead of that of the database\. Correct them: /,
    );
    assert.equal(found?.cure, 'timedatectl set-ntp true');
  });

  it('data.feed and data.unseen: nothing for sale, and a source that is gone', async () => {
    assert.deepEqual(await find('data.feed', { DATABASE_URL: database.url }), {
      sentence: 'No feed is published yet.',
      cure: 'npm run cli -- run listings',
    });
    await run(`insert into sources (name, kind, licence_class, may_store, may_resell, attribution, changed_at,
      last_seen_by, last_seen_at, unseen_since)
      values ('my-broker', 'drop', 'owned', true, true, '', now(), 'blue', now(), '2026-03-01T00:00:00Z')`);
    assert.deepEqual(await find('data.unseen', { DATABASE_URL: database.url }), {
      sentence: 'No instance has seen the source my-broker since 2026-03-01T00:00:00.000Z; blue saw it last.',
      cure: 'npm run cli -- sources remove my-broker',
    });
    assert.deepEqual(await find('data.late', { DATABASE_URL: database.url }), {
      sentence: '1 sources are not as fresh as promised: my-broker.',
      cure: 'npm run cli -- ingest my-broker',
    });
  });

  it('relayer.nonce: a transaction that waits for half a minute, by its hash and with what was tried', async () => {
    const network = findNetwork('eip155:8453') ?? assert.fail();
    const signer = createTransactionSigner(`0x${'51'.repeat(32)}`, network.chainId);
    const client = { getTransactionCount: async () => 7 } as unknown as ChainClient;
    const chain = { client, network, payTo, relayers: [signer.address] } as const;
    const found = () => find('relayer.nonce', { DATABASE_URL: database.url }, { chain });
    const hashes: string[] = [];
    async function keep(data: Hex, gwei: number, seconds: number, nonce = 7): Promise<void> {
      const fees = { maxFeePerGas: BigInt(gwei) * 10n ** 9n, maxPriorityFeePerGas: 1n };
      const { hash, raw } = await signer.sign({ to: signer.address, data, gas: 21_000n }, nonce, fees);
      hashes.push(hash);
      await run(`insert into relayer_transactions values ('${network.id}', '\\${signer.address.slice(1)}', ${nonce},
        '\\${hash.slice(1)}', '\\${raw.slice(1)}', '{}', now(), now() - interval '${seconds} seconds')`);
    }
    const sentence = (what: string) =>
      `The transaction ${hashes.at(-1)} of nonce 7 has waited half a minute to be mined: ${what}.`;
    const cure =
      'Wait: it is replaced with higher fees, up to RELAYER_MAX_FEE_GWEI. Look whether the chain makes blocks.';
    await keep('0x12', 1, 90, 6);
    assert.equal(await found(), undefined, 'its nonce is used');
    await keep('0x12', 1, 29);
    assert.equal(await found(), undefined);
    await run(`update relayer_transactions set kept_at = now() - interval '31 seconds' where nonce = 7`);
    assert.deepEqual(await found(), { sentence: sentence('no higher fee was offered yet'), cure });
    await keep('0x12', 2, 20);
    assert.deepEqual(await found(), { sentence: sentence('its fee raised once, to 2 gwei'), cure });
    await keep('0x', 3, 10);
    const tried = 'its fee raised 2 times, to 3 gwei, given up for a transfer of nothing';
    assert.deepEqual(await found(), { sentence: sentence(tried), cure });
  });

  it("data.rents: HUD's rents of the next year, from September on until they are loaded", async () => {
    const on = (day: string) => ({ now: () => new Date(day) });
    const rents = (day: string) => find('data.rents', { DATABASE_URL: database.url }, on(day));
    assert.match((await rents('2027-09-01'))?.sentence ?? '', /^Of FY2028 the Small Area FMRs .* and the FMRs /);
    for (const table of ['safmr', 'fmr'])
      await run(`insert into rent_tables values ('${table}', 2028, now(),
        '{"table":"${table}","fiscal_year":2028,"complete":true}' || chr(10) || '44105 80 90 120 160 170')`);
    assert.equal(await rents('2027-09-01'), undefined);
  });

  it('relayer.lease: more instances than keys, with who holds them', async () => {
    await run(`insert into instances select each, each, '1', 'here', now(), now(), true, false, 1
      from unnest(array['blue', 'green']) as each`);
    await run(`insert into relayer_leases values ('eip155:8453', '\\x01', 'blue', '2096-01-01T00:00:00Z', 3)`);
    const found = await find('relayer.lease', { DATABASE_URL: database.url });
    assert.equal(
      found?.sentence,
      '2 instances run, with 1 relayer keys: 0x01 is held by blue until 2096-01-01T00:00:00+00:00.',
    );
    assert.equal(found?.cure, 'Add a key to RELAYER_PRIVATE_KEYS for each instance.');
  });

  it('ledger.equal: nothing, in an empty ledger', async () => {
    assert.equal(await find('ledger.equal', { DATABASE_URL: database.url }), undefined);
  });
});
