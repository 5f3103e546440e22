import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { Database } from '../../src/db/database.js';
import { openPostgres } from '../../src/db/open-postgres.js';
import { startCuttableProxy, type CuttableProxy } from '../support/cuttable-proxy.js';
import { administer, createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';
import { assertSurvives, openShop, type Outage, type Shop } from './outage-shop.js';

describe('a service on PostgreSQL asks nobody for money while that could not keep the sale', function () {
  // A pure limit: a chain and a database are started.
  this.timeout(120_000);
  const log = pino({ level: 'silent' });
  const role = 'deals_of_outages';
  let serverUrl: string;
  let server: PostgresDatabase;
  let database: Database;
  let proxy: CuttableProxy;
  let shop: Shop;
  before(async function () {
    serverUrl = requirePostgres(this);
    server = await createPostgresDatabase(serverUrl);
    const { hostname, port, pathname } = new URL(server.url);
    await run(`create role ${role} login`, serverUrl).catch(() => undefined);
    await run(`alter role ${role} connection limit -1; alter database ${pathname.slice(1)} owner to ${role}`);
    proxy = await startCuttableProxy({ host: hostname, port: Number(port) });
    const url = `postgres://${role}@127.0.0.1:${proxy.port}${pathname}`;
    database = await openPostgres({ url, poolSize: 4, connectionTimeoutMs: 1_000 }, log);
    shop = await openShop({}, { database });
  });
  after(async () => {
    await shop?.stop();
    await database?.close();
    await proxy?.stop();
    await server?.drop();
    if (serverUrl) await run(`drop role ${role}`, serverUrl);
  });

  const run = (statement: string, url = server.url): Promise<void> => administer(url, statement);
  const noSpace = (table: string): string =>
    `create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger no_space before insert or update on ${table} execute function no_space()`;
  const reconnect = () => {
    proxy.set('cut');
    proxy.set('open');
  };
  const name = () => new URL(server.url).pathname.slice(1);

  const outages: readonly (Outage & { readonly redelivers: boolean })[] = [
    {
      what: 'the database is down',
      id: 'database.reach',
      begin: () => proxy.set('cut'),
      end: () => proxy.set('open'),
      redelivers: false,
    },
    {
      what: 'the database hangs',
      id: 'database.reach',
      begin: () => proxy.set('hung'),
      end: () => proxy.set('open'),
      isHung: true,
      redelivers: false,
    },
    {
      what: 'the database is full',
      id: 'database.writable',
      begin: () => run(noSpace('instances')),
      end: () => run('drop function no_space cascade'),
      redelivers: true,
    },
    {
      what: 'the database is full, though the heartbeat still finds room',
      id: 'database.writable',
      async begin(each) {
        await run(noSpace('payments'));
        assert.equal((await each.get('/api/deals?limit=1', await each.sign('another-of-its-buyer'))).status, 503);
      },
      end: () => run('drop function no_space cascade'),
      redelivers: true,
    },
    {
      what: 'the database is read-only',
      id: 'database.writable',
      async begin() {
        await run(`alter database ${name()} set default_transaction_read_only = on`);
        reconnect();
      },
      async end() {
        await run(`alter database ${name()} reset default_transaction_read_only`, serverUrl);
        reconnect();
      },
      redelivers: true,
    },
    {
      what: 'the database has no connection left',
      id: 'database.reach',
      async begin() {
        await run(`alter role ${role} connection limit 0`);
        reconnect();
      },
      end: () => run(`alter role ${role} connection limit -1`),
      redelivers: false,
    },
  ];
  for (const outage of outages) it(outage.what, () => assertSurvives(shop, outage, outage.redelivers));
});
