import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { pino } from 'pino';
import { timetable } from '../../jobs/timetable.js';
import type { Database } from '../../src/db/database.js';
import { openPostgres } from '../../src/db/open-postgres.js';
import { openOperator } from '../../src/operator/port/open-operator.js';
import { findProjectFile } from '../../src/project-file.js';
import { openShop, type Outage, type Shop } from '../checks/outage-shop.js';
import { outagesOfNodes } from '../checks/outages-of-nodes.js';
import { readMetrics } from '../operator/watched-app.js';
import { administer, createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';
import { faults, startMockFacilitator, type MockFacilitator } from '../support/mock-facilitator.js';
import { startTestChain } from '../support/chain.js';

const rules = findProjectFile('ops/alerts.yml');
type Metrics = ReadonlyMap<string, number>;

/** Names in the rules but those of this process, which is a test's. */
const watched = new Set(readFileSync(rules, 'utf8').match(/deals_\w+/g));
watched.delete('deals_nodejs_eventloop_lag_p99_seconds');

describe('the alerts, from the figures of a real service in an outage', function () {
  // A pure limit: chains and databases are started.
  this.timeout(180_000);
  let promtool: string;
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'));

  before(function () {
    const kept = join(tmpdir(), 'deals-feed-prometheus');
    const { status, stdout } = spawnSync('sh', [findProjectFile('.ci/prometheus.sh'), kept], { encoding: 'utf8' });
    if (status !== 0) {
      process.stderr.write('    SKIPPED: Prometheus cannot be had (.ci/prometheus.sh)\n');
      return this.skip();
    }
    promtool = join(stdout.trim(), 'promtool');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** What /metrics says now, of what the rules read: the figures are read when the port opens. */
  async function scrape({ app }: Shop): Promise<Metrics> {
    const { knex } = app.database;
    // Each opening counts the statements of this database.
    setMaxListeners(100, knex as never, knex.client as never);
    const config = { ...app.config, operator: { host: '127.0.0.1', port: 0, token: undefined } };
    const operator = await openOperator(app, { judged: { config, findings: [] }, timetable });
    try {
      const all = await readMetrics(operator.url);
      return new Map([...all].filter(([name]) => watched.has(name.split('{', 1)[0] ?? '')));
    } finally {
      await operator.close();
    }
  }

  /** What a person is told: five minutes of calm, ten of the outage, and of calm again. */
  function judge(calm: Metrics, outage: Metrics, after: Metrics): void {
    const told = (at: string, names: readonly string[]) => ({
      eval_time: at,
      expr: `count by (alertname) (ALERTS{alertstate="firing", alertname!~"${readInhibited(names)}"})`,
      exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
    });
    const names = new Set([...calm.keys(), ...outage.keys(), ...after.keys()]);
    const series = [...names].map((name) => {
      const of = (phase: Metrics, count: number) => `${phase.get(name) ?? '_'}x${count}`;
      const labels = name.includes('{') ? name.replace('{', '{instance="a",') : `${name}{instance="a"}`;
      return { series: labels, values: [of(calm, 9), of(outage, 19), of(after, 19)].join(' ') };
    });
    const test = {
      interval: '30s',
      input_series: [...series, { series: 'up{job="deals-feed",instance="a"}', values: '1x60' }],
      promql_expr_test: [
        told('5m', []),
        told('7m', ['NothingForSale']),
        told('14m', ['NothingForSale']),
        told('17m', []),
      ],
    };
    const file = join(folder, 'test.json');
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '30s', tests: [test] }));
    const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', file], { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }

  async function assertTells(shop: Shop, { begin, end, withinMs = 15_000, isHung = false }: Outage): Promise<void> {
    const calm = await scrape(shop);
    await begin(shop);
    for (let passedMs = 0; passedMs < withinMs; passedMs += 5_000) await shop.step(!isHung);
    const outage = await scrape(shop);
    await end(shop);
    await shop.step();
    judge(calm, outage, await scrape(shop));
  }

  describe('of the node', () => {
    let shop: Shop;
    before(async () => (shop = await openShop()));
    after(() => shop?.stop());
    for (const outage of outagesOfNodes) it(outage.what, () => assertTells(shop, outage));
  });

  describe('of the facilitator', () => {
    let facilitator: MockFacilitator;
    let shop: Shop;
    before(async () => {
      // Its own chain: nothing is sold through it here.
      const chain = await startTestChain(84532);
      facilitator = await startMockFacilitator(chain).finally(() => chain.stop());
      shop = await openShop({ FACILITATOR_URL: facilitator.url, RELAYER_PRIVATE_KEYS: '' }, { isSold: false });
    });
    after(async () => {
      await shop?.stop();
      await facilitator?.stop();
    });
    it('the facilitator is down', () =>
      assertTells(shop, {
        ...{ what: '', id: 'facilitator.reach' },
        begin: () => void (facilitator.behaviours = { '/supported': faults.fails }),
        end: () => void (facilitator.behaviours = {}),
      }));
  });

  describe('of PostgreSQL', () => {
    let server: PostgresDatabase;
    let database: Database;
    let shop: Shop;
    before(async function () {
      server = await createPostgresDatabase(requirePostgres(this));
      database = await openPostgres({ url: server.url, poolSize: 4 }, pino({ level: 'silent' }));
      shop = await openShop({}, { database });
    });
    after(async () => {
      await shop?.stop();
      await database?.close();
      await server?.drop();
    });
    for (const [what, code] of [
      ['the database is full', '53100'],
      ['the database is read-only', '25006'],
    ] as const)
      it(what, () =>
        assertTells(shop, {
          ...{ what, id: 'database.writable' },
          begin: () =>
            administer(
              server.url,
              `create function no_write() returns trigger language plpgsql as
                $$ begin raise exception 'refused' using errcode = '${code}'; end $$;
                create trigger no_write before insert or update on instances execute function no_write()`,
            ),
          end: () => administer(server.url, 'drop function no_write cascade'),
        }),
      );
  });
});

/** What Alertmanager keeps back while these are told, as a regular expression. */
function readInhibited(told: readonly string[]): string {
  const { inhibit_rules } = load(readFileSync(findProjectFile('ops/alertmanager.yml'), 'utf8')) as {
    inhibit_rules: { source_matchers: string[]; target_matchers: string[] }[];
  };
  const kept = inhibit_rules.flatMap(({ source_matchers: [source = ''], target_matchers: [target = ''] }) => {
    const isTold = told.some((name) => source === `alertname="${name}"`);
    return isTold ? [/"(.*)"/.exec(target)?.[1] ?? ''] : [];
  });
  return kept.join('|') || 'none';
}
