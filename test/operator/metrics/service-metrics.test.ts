import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Knex } from 'knex';
import { Registry } from 'prom-client';
import { createServiceMetrics } from '../../../src/operator/metrics/service-metrics.js';
import { createServiceReader } from '../../../src/operator/metrics/service-reader.js';
import { createRelayerTally } from '../../../src/payments/settlement/relayer/relayer-tally.js';
import { networks } from '../../../src/wire/networks.js';
import { createDemand, readWish, type DemandRow } from '../../../src/operator/metrics/demand.js';
import { readDemand } from '../../../src/operator/metrics/demand-reader.js';
import { addDemand } from '../../../src/operator/metrics/demand-store.js';
import { openTestDatabase } from '../../support/database.js';
import { buy } from '../../support/pay.js';
import { findProjectFile } from '../../../src/project-file.js';
import { readMetrics, startWatchedApp } from '../watched-app.js';
import { metricsPage, renderMetricsPage } from './metrics-page.js';

const knexOfNothing = { client: {} } as Knex;
const ofNobody = { jobs: ['listings'], readBooks: () => Promise.resolve({} as never) };

describe('what /metrics says of the service', () => {
  it('stands in docs/metrics.md (npm run metrics)', async () => {
    assert.equal(readFileSync(findProjectFile(metricsPage), 'utf8'), await renderMetricsPage());
  });

  it('has the figures of feeds, sources, chain and relayer of a shop with a local chain', async () => {
    const { operator, stop } = await startWatchedApp();
    try {
      const { url } = operator;
      const metrics = await readMetrics(url);
      const of = (name: string) => metrics.get(`deals_${name}`) ?? NaN;
      assert.equal(of('ready'), 1);
      assert.equal(of('instances'), 1);
      assert.equal(of('build_info{version="1.0.0"}'), 1);
      assert.ok(of('feed_records{feed="deals"}') > 100);
      assert.ok(of('feed_published_age_seconds{feed="deals"}') >= 0);
      assert.ok(of('chain_head_age_seconds') >= 0);
      const heads = of('rpc_calls_total{method="eth_getBlockByNumber",result="answered"}');
      assert.ok(heads > 0 && of('rpc_seconds_count{method="eth_getBlockByNumber"}') >= heads, 'calls of the node');
      assert.equal(of('rpc_calls_total{method="eth_sendRawTransaction",result="answered"}'), 0);
      assert.equal(of('refunds_due'), 0);
      assert.ok(of('db_seconds_count{statement="other"}') > 0, 'statements are timed');
      assert.equal(of('db_errors_total{class="53"}'), 0);
      assert.equal(of('settle_seconds_count{result="mined"}'), 0);
      for (const result of ['mined', 'failed', 'replaced', 'displaced'])
        assert.equal(of(`settlements_total{result="${result}"}`), 0);
      for (const check of ['data.late', 'data.unseen', 'ledger.equal', 'database.pool', 'chain.pace'])
        assert.ok((metrics.get(`deals_check{check="${check}"}`) ?? 2) < 2, `${check} is looked at live`);
      const relayer = [...metrics.keys()].find((name) => name.startsWith('deals_relayer_runway_settlements{')) ?? '';
      assert.ok((metrics.get(relayer) ?? 0) > 100, relayer);
      for (const name of ['source_age_periods', 'source_unseen_seconds', 'source_records'])
        assert.ok(
          [...metrics.keys()].some((each) => each.startsWith(`deals_${name}{source="`)),
          name,
        );
      assert.ok(of('nodejs_eventloop_lag_p99_seconds') >= 0, 'those of the process too');
    } finally {
      await stop();
    }
  });

  it('says nothing of what it could not ask: no figure is 0 or old because the database is away', async () => {
    const registry = new Registry();
    const look = createServiceMetrics(registry, {
      reader: {
        ...createServiceReader(knexOfNothing, { ...ofNobody, owner: '' }),
        read: () => Promise.reject(new Error('away')),
      },
      chain: { client: undefined, network: networks[0] ?? assert.fail() },
      tally: createRelayerTally(),
      ...{ maxFeeWei: 1n, jobPeriods: new Map(), countRecords: () => new Map() },
    });
    await look();
    const lines = (await registry.metrics())
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('deals_settle'));
    assert.deepEqual(
      lines,
      ['used', 'free', 'waiting'].map((state) => `deals_db_pool{state="${state}"} 0`),
    );
  });

  it('counts what was settled since it looked before, and not what others settled', async () => {
    const { app, stop } = await startWatchedApp();
    try {
      const [own, others] = ['', 'another '].map((prefix) =>
        createServiceReader(app.database.knex, { ...ofNobody, owner: prefix + app.owner }),
      );
      assert.equal((await own?.read())?.mined, 0, 'nothing of the time before');
      await others?.read();
      assert.equal((await buy(`${app.url}/api/deals?limit=1`)).status, 200);
      const { mined, minedGwei = 0, settleSeconds: [seconds = NaN] = [] } = (await own?.read()) ?? {};
      assert.equal(mined, 1);
      assert.ok(minedGwei > 10_000, `57,000 gas at ${minedGwei} gwei in all`);
      assert.ok(seconds > 0 && seconds < 60, String(seconds));
      assert.equal((await own?.read())?.mined, 0);
      assert.equal((await others?.read())?.mined, 0);
    } finally {
      await stop();
    }
  });
});

describe('the demand', () => {
  const names = new Set(['state', 'metro', 'county', 'min_cap', 'city']);

  it('is read from a query as names of filters and places of ours, whatever else stands there', () => {
    assert.deepEqual(readWish('min_cap=8&state=oh&limit=5&city=Toledo', names), {
      filters: ['city', 'min_cap', 'state'],
      state: 'OH',
      place: '',
    });
    assert.deepEqual(readWish('state=OH,IN&county=39095', names), {
      filters: ['county', 'state'],
      state: 'several',
      place: '39095',
    });
    assert.deepEqual(readWish('state=ZZ&metro=nowhere&county=99999&q=secret', names), {
      filters: ['county', 'metro', 'state'],
      state: '',
      place: '',
    });
  });

  it('is kept by day, added up, bounded to 5,000 rows, and gone after 400 days', async () => {
    const { knex, close } = await openTestDatabase();
    try {
      const rowOf = (index: number): DemandRow => ({
        ...{ operation: 'listDeals', transport: 'http', asked: 2, sold: 1, unmatched: 0 },
        wish: { filters: [`filter_${index}`], state: 'OH', place: '' },
      });
      await knex.raw("insert into demand select current_date - 401, 'listDeals', 'http', '', '', '', 1, 1, 1");
      await addDemand(knex, [rowOf(0)]);
      await addDemand(knex, [rowOf(0)]);
      assert.deepEqual(await knex('demand').select('filters', 'asked', 'sold'), [
        { filters: 'filter_0', asked: '4', sold: '2' },
      ]);
      await addDemand(
        knex,
        Array.from({ length: 5_000 }, (_, index) => rowOf(index + 1)),
      );
      await addDemand(knex, [rowOf(0), rowOf(6_000), rowOf(6_001)]);
      const [{ asked, state } = { asked: '', state: '' }] = await knex('demand')
        .where({ filters: 'other' })
        .select('*');
      assert.deepEqual([asked, state], ['4', '']);
      const [{ asked: first } = { asked: '' }] = await knex('demand').where({ filters: 'filter_0' }).select('*');
      assert.equal(first, '6', 'what was there before goes on');
      const [columns, ...rows] = await readDemand(knex, {});
      assert.deepEqual(columns, ['operation', 'filters', 'state', 'place', 'asked', 'sold', 'not found']);
      assert.deepEqual(rows[0], ['listDeals', 'filter_0', 'OH', '', '6', '3', '0']);
      assert.equal(rows.length, 1_000);
      assert.deepEqual(await readDemand(knex, { to: '2020-01-01' }), [columns]);
    } finally {
      await close();
    }
  });

  it('is written again where it could not be written', async () => {
    const written: DemandRow[][] = [];
    let isAway = true;
    const demand = createDemand({ operations: [] }, async (rows) => {
      if (isAway) throw new Error('away');
      written.push(rows.map((row) => ({ ...row })));
    });
    const count = demand.open('listDeals', 'http');
    count('', 'asked');
    await demand.flush();
    isAway = false;
    count('', 'sold');
    await demand.flush();
    await demand.flush();
    assert.deepEqual(
      written.map(([row]) => [row?.asked, row?.sold]),
      [[1, 1]],
    );
  });
});
