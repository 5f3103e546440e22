import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createJobRunsStore } from '../../jobs/job-runs-store.js';
import { openOperatorCommands } from '../../jobs/open-operator-commands.js';
import { known } from '../../src/absence.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { Database } from '../../src/db/database.js';
import { openDatabase } from '../../src/db/open-database.js';
import type { Figures } from '../../src/operator/socket/operator-commands.js';
import { holdKey } from '../payments/settlement/hold-key.js';
import { createRelayerStore } from '../../src/payments/settlement/relayer/relayer-store.js';
import { observe } from '../listings/observation.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';
import { installDatabaseClock, stopDatabaseClock } from '../support/database-clock.js';
import { readSource } from '../support/read-source.js';

const startedAt = Date.parse('2026-11-02T08:00:00.000Z');
const dayMs = 86_400_000;
const relayer: Hex = `0x${'a1'.repeat(20)}`;

describe('the job maintenance, over the embedded database', () => {
  let directory: string;
  let database: Database;
  let app: TestApp;
  let day = 0;
  const now = (): Date => new Date(startedAt + day * dayMs);
  async function setDay(to: number): Promise<void> {
    day = to;
    await stopDatabaseClock(database.knex, now());
  }
  const source = createScriptedDelivery('listings', { name: 'broker', now });

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'maintenance-'));
    database = await openDatabase({ directory }, pino({ level: 'silent' }));
    await installDatabaseClock(database.knex);
    await database.knex.raw('set search_path = public, pg_catalog');
    await setDay(0);
    app = await startTestApp({ withData: false, database, now, settler: createInstantSettler() });
  });
  after(async () => {
    await app?.stop();
    await database?.close();
    await rm(directory, { recursive: true, force: true });
  });

  function runJob(name: string): Promise<Figures> {
    return openOperatorCommands(app).runJob(name, () => {});
  }

  /** Reads and publishes an offer at two prices, sells it, and signs a transaction. Returns the buyer's reply. */
  async function liveThrough(prices: readonly [string, string]): Promise<string> {
    const offers = prices.map((price, index) =>
      observe({ sourceKey: `b${index}`, address: known(`${index + 1} Example Ave`), listPrice: known(price) }),
    );
    source.deliver({ pages: [offers] });
    await readSource(app, source);
    await runJob('publish');
    const validBefore = BigInt(Math.floor(now().getTime() / 1000) + 200);
    const reply = await buy(`${app.url}/api/deals`, { validAfter: 0n, validBefore });
    assert.equal(reply.status, 200);
    await holdKey(database.knex, { chain: 'eip155:1', relayer, owner: 'owner' });
    await createRelayerStore(database.knex, { id: 'eip155:1', asset: relayer }, 'owner').keep(
      relayer,
      { nonce: day, hash: `0x${'1'.repeat(64)}`, raw: '0x02', carries: [], giveUpInMs: 0 },
      [],
    );
    return reply.text();
  }

  async function maintain() {
    const { bodies, relayed, rawRecords, jobRuns } = await runJob('maintenance');
    return { bodies, relayed, rawRecords, jobRuns };
  }

  async function isKept(text: string): Promise<boolean> {
    const body = await app.selling.ledger.readReplyBody(createHash('sha256').update(text).digest());
    return body !== undefined;
  }

  async function pricesAsTheyCame(): Promise<string[]> {
    const rows = await database.knex('raw_records').select<{ payload: string }[]>('payload');
    return rows.map(({ payload }) => (JSON.parse(payload) as { listPrice: { value: string } }).listPrice.value).sort();
  }

  async function listRuns() {
    const runs = await createJobRunsStore(database.knex).list({ limit: 10 });
    return runs.map(({ job, slot }) => `${job} on day ${(slot.getTime() - startedAt) / dayMs}`).sort();
  }

  it('deletes expired rows, replies, transactions and runs, and keeps newer or displayed ones', async () => {
    const oldReply = await liveThrough(['410000', '300000']);
    await setDay(7);
    await app.selling.deliveries.flush();
    assert.deepEqual(await maintain(), { bodies: 0, relayed: 1, rawRecords: 0, jobRuns: 0 });
    assert.equal(await isKept(oldReply), true);

    await setDay(90);
    const newReply = await liveThrough(['390000', '300000']);
    await setDay(91);
    await app.selling.deliveries.flush();
    assert.deepEqual(await pricesAsTheyCame(), ['300000', '390000', '410000']);
    assert.deepEqual(await maintain(), { bodies: 1, relayed: 0, rawRecords: 1, jobRuns: 1 });
    assert.deepEqual([await isKept(oldReply), await isKept(newReply)], [false, true]);
    assert.deepEqual(await pricesAsTheyCame(), ['300000', '390000']);
    // The latest success of a job stays at any age: during maintenance, its own was that of day 7.
    assert.deepEqual(await listRuns(), ['maintenance on day 7', 'maintenance on day 91', 'publish on day 90']);
  });

  it('keeps what is needed to end a payment until a day after the longest window', async () => {
    await setDay(100);
    const store = createRelayerStore(database.knex, { id: 'eip155:2', asset: relayer }, 'owner');
    await holdKey(database.knex, { chain: 'eip155:2', relayer, owner: 'owner' });
    const carried = { payer: relayer, nonce: `0x${'2'.repeat(64)}` } as const;
    const kept = { nonce: 1, hash: carried.nonce, raw: '0x02', carries: [carried], giveUpInMs: 0 } as const;
    await store.keep(relayer, kept, []);
    await setDay(day + (3_660_000 + dayMs) / dayMs);
    await maintain();
    assert.ok(await store.findLast(carried));
    await setDay(day + 2);
    await maintain();
    assert.equal(await store.findLast(carried), undefined);
  });
});
