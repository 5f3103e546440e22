import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { findProjectFile } from '../../src/project-file.js';
import { startWatchedApp } from '../operator/watched-app.js';

const rules = findProjectFile('ops/alerts.yml');
type Series = Readonly<Record<string, string>>;

/** Two instances of a shop to which nothing happens, each half minute for an hour. */
const calm: Series = {
  'deals_ready{instance="a"}': '1x120',
  'deals_ready{instance="b"}': '1x120',
  'up{job="deals-feed",instance="a"}': '1x120',
  'up{job="deals-feed",instance="b"}': '1x120',
  'deals_relayer_runway_seconds{instance="a",relayer="0xa"}': '2592000x120',
  'deals_relayer_nonce_stuck_seconds{instance="a",relayer="0xa"}': '0x120',
  'deals_chain_head_age_seconds{instance="a"}': '2x120',
  'deals_signed_total{instance="a",operation="listDeals"}': '0+10x120',
  'deals_unmatched_total{instance="a",operation="listDeals"}': '0+3x120',
  'deals_calls_total{instance="a",operation="listDeals",outcome="sold"}': '0+7x120',
  'deals_calls_total{instance="a",operation="listDeals",outcome="asked"}': '0+20x120',
  'deals_oldest_open_payment_seconds{instance="a"}': '5x120',
  'deals_ledger_difference_microusdc{instance="a"}': '0x120',
  'deals_lost_sales{instance="a"}': '0x120',
  'deals_audit_age_seconds{instance="a"}': '50000x120',
  'deals_refunds_due{instance="a"}': '0x120',
  'deals_gas_used_total{instance="a",result="failed"}': '0x120',
  'deals_source_age_periods{instance="a",source="homes"}': '0.5x120',
  'deals_source_unseen_seconds{instance="a",source="homes"}': '0x120',
  'deals_job_age_periods{instance="a",job="listings"}': '0.5x120',
  'deals_db_pool{instance="a",state="waiting"}': '0x120',
  'deals_nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.02x120',
};

interface Case {
  readonly what: string;
  /** In place of those of the calm shop; an empty text: it is not there. */
  readonly series: Series;
  /** What fires, by the time. */
  readonly fires: Readonly<Record<string, readonly string[]>>;
}

const bySource = 'deals_source_age_periods{instance="a",source="homes"}';
const cases: readonly Case[] = [
  { what: 'a calm shop', series: {}, fires: { '30m': [], '60m': [] } },
  {
    what: 'one instance that is not ready, then both, then neither',
    series: { 'deals_ready{instance="a"}': '1x39 0x20 1x60', 'deals_ready{instance="b"}': '1x9 0x50 1x60' },
    fires: {
      '9m': [],
      '11m': ['InstanceNotReady warn'],
      '20m30s': [],
      '22m': ['NothingForSale page'],
      '31m': [],
    },
  },
  {
    what: 'an instance that ended for good, and its series with it',
    series: { 'deals_ready{instance="b"}': '', 'up{job="deals-feed",instance="b"}': '0x120' },
    fires: { '4m': [], '6m': ['InstanceNotReady warn'] },
  },
  {
    what: 'a restart of two minutes, with its counters',
    series: {
      'deals_ready{instance="a"}': '1x20 _x4 1x95',
      'up{job="deals-feed",instance="a"}': '1x20 0x3 1x95',
      'deals_signed_total{instance="a",operation="listDeals"}': '1000+10x20 _x4 0+10x95',
      'deals_unmatched_total{instance="a",operation="listDeals"}': '300+3x20 _x4 0+3x95',
      'deals_calls_total{instance="a",operation="listDeals",outcome="sold"}': '700+7x20 _x4 0+7x95',
    },
    fires: { '11m': [], '13m': [], '20m': [], '30m': [] },
  },
  {
    what: 'no instance at all',
    series: Object.fromEntries(Object.keys(calm).map((name) => [name, ''])),
    fires: { '30s': [], '2m': ['NothingForSale page'] },
  },
  {
    what: 'a relayer that runs dry',
    series: { 'deals_relayer_runway_seconds{instance="a",relayer="0xa"}': '90000-1200x75 0x45' },
    fires: { '1m': [], '10m': ['RelayerDry warn'], '45m': ['RelayerDry page', 'RelayerDry warn'] },
  },
  {
    what: 'a transaction that is stuck, and mined at last',
    series: { 'deals_relayer_nonce_stuck_seconds{instance="a",relayer="0xa"}': '0x20 30+30x20 0x80' },
    fires: { '10m': [], '13m': ['SettlementStuck page'], '25m': [] },
  },
  {
    what: 'a node that stands still',
    series: { 'deals_chain_head_age_seconds{instance="a"}': '2x20 30+30x100' },
    fires: { '10m': [], '13m': ['SettlementStuck page'] },
  },
  {
    what: 'signed payments that are not served',
    series: { 'deals_calls_total{instance="a",operation="listDeals",outcome="sold"}': '0+7x40 280+0x80' },
    fires: { '19m': [], '40m': ['SalesFail page'] },
  },
  {
    what: 'signed payments that are too few to tell',
    series: {
      'deals_signed_total{instance="a",operation="listDeals"}': '0+0.1x120',
      'deals_unmatched_total{instance="a",operation="listDeals"}': '0x120',
      'deals_calls_total{instance="a",operation="listDeals",outcome="sold"}': '0x120',
    },
    fires: { '40m': [] },
  },
  {
    what: 'a payment whose outcome stays open',
    series: { 'deals_oldest_open_payment_seconds{instance="a"}': '600+30x120' },
    fires: { '5m': [], '8m': ['OutcomesOpen page'] },
  },
  ...(['deals_lost_sales', 'deals_ledger_difference_microusdc'] as const).flatMap((name) => [
    {
      what: `${name} that are not 0, and 0 again`,
      series: { [`${name}{instance="a"}`]: '0x20 -50000x20 0x80'.replace('-', name === 'deals_lost_sales' ? '' : '-') },
      fires: { '9m': [], '13m': ['BooksDiffer page'], '25m': [] },
    },
  ]),
  {
    what: 'an audit that is not made any more',
    series: { 'deals_audit_age_seconds{instance="a"}': '129000+30x120' },
    fires: { '8m': [], '13m': ['BooksDiffer page'] },
  },
  {
    what: 'refunds that nobody sends',
    series: { 'deals_refunds_due{instance="a"}': '1x140' },
    fires: { '59m': [], '61m': ['RefundDue warn'] },
  },
  {
    what: 'failed payments that burn gas',
    series: { 'deals_gas_used_total{instance="a",result="failed"}': '0x20 0+60000x40 2400000x60' },
    fires: { '15m': [], '25m': ['GasDrain page'] },
  },
  {
    what: 'a source that is late, and read again',
    series: { [bySource]: '1.9+0.01x60 0x60' },
    fires: { '10m': [], '25m': ['DataLate warn'], '45m': [] },
  },
  {
    what: 'a source that no instance sees, and a job without success',
    series: {
      'deals_source_unseen_seconds{instance="a",source="homes"}': '90000x120',
      'deals_job_age_periods{instance="a",job="listings"}': '1.6x120',
    },
    fires: { '9m': [], '11m': ['DataLate warn', 'DataLate warn'] },
  },
  {
    what: 'a pool whose callers wait, for a moment and for longer',
    series: { 'deals_db_pool{instance="a",state="waiting"}': '0x9 5x1 0x10 5x20 0x80' },
    fires: { '5m': [], '14m': ['Strained warn'], '25m': [] },
  },
  {
    what: 'an event loop that is late',
    series: { 'deals_nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.02x20 0.9x100' },
    fires: { '10m': [], '13m': ['Strained warn'] },
  },
  {
    what: 'a database without connections left, and its errors of any other kind',
    series: {
      'deals_db_errors_total{instance="a",class="53"}': '0x20 1+1x20 21x80',
      'deals_db_errors_total{instance="a",class="23"}': '0+9x120',
    },
    fires: { '10m': [], '14m': ['Strained warn'], '40m': [] },
  },
];

/** Eight days of a shop that sells each quarter of an hour, and from the eighth on does not, or is not asked either. */
const silent = (asked: string): Case => ({
  what: `asked ${asked}, and sold no more`,
  series: {
    'deals_ready{instance="a"}': '1x800',
    'deals_calls_total{instance="a",outcome="asked"}': asked,
    'deals_calls_total{instance="a",outcome="sold"}': '0+2x700 1400+0x100',
  },
  fires: asked.includes('+0') ? { '175h': [], '183h': [] } : { '175h': [], '183h': ['SalesSilent warn'] },
});

describe('ops/alerts.yml', function () {
  let programs: string;
  let folder: string;

  before(function () {
    folder = mkdtempSync(join(tmpdir(), 'alerts-'));
    const kept = join(tmpdir(), 'deals-feed-prometheus');
    const { status, stdout } = spawnSync('sh', [findProjectFile('.ci/prometheus.sh'), kept], { encoding: 'utf8' });
    if (status !== 0) {
      process.stderr.write('    SKIPPED: Prometheus cannot be had (.ci/prometheus.sh)\n');
      this.skip();
    }
    programs = stdout.trim();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is a file of rules that Prometheus takes, as Alertmanager takes its own', () => {
    const promtool = join(programs, 'promtool');
    execFileSync(promtool, ['check', 'rules', rules], { stdio: 'pipe' });
    execFileSync(promtool, ['check', 'config', '--syntax-only', findProjectFile('ops/prometheus.yml')], {
      stdio: 'pipe',
    });
    execFileSync(join(programs, 'amtool'), ['check-config', findProjectFile('ops/alertmanager.yml')], {
      stdio: 'pipe',
    });
  });

  it('sends a page at once, and what follows from a shop that cannot sell not beside it', () => {
    const text = readFileSync(findProjectFile('ops/alertmanager.yml'), 'utf8');
    const { inhibit_rules } = load(text) as { inhibit_rules: Record<string, readonly string[]>[] };
    const alerts = new Set([...readFileSync(rules, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name));
    const named = JSON.stringify(inhibit_rules).match(/[A-Z]\w+/g) ?? [];
    assert.deepEqual(
      named.filter((name) => !alerts.has(name)),
      [],
    );
    const args = ['config', 'routes', 'test', `--config.file=${findProjectFile('ops/alertmanager.yml')}`];
    const routed = execFileSync(join(programs, 'amtool'), [...args, 'severity=page'], { encoding: 'utf8' });
    assert.equal(routed, 'person\n');
  });

  function judge(all: readonly Case[], interval: string): void {
    const tests = all.map(({ what, series, fires }) => ({
      name: what,
      interval,
      input_series: Object.entries({ ...(interval === '30s' ? calm : {}), ...series }).flatMap(([name, values]) =>
        values === '' ? [] : [{ series: name, values }],
      ),
      promql_expr_test: Object.entries(fires).map(([eval_time, alerts]) => ({
        expr: 'count by (alertname, severity) (ALERTS{alertstate="firing"})',
        eval_time,
        exp_samples: [...new Set(alerts)].map((alert) => {
          const [alertname, severity] = alert.split(' ');
          const labels = `{alertname="${alertname}", severity="${severity}"}`;
          return { labels, value: alerts.filter((each) => each === alert).length };
        }),
      })),
    }));
    const file = join(folder, 'test.json');
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: interval, tests }));
    const { status, stdout, stderr } = spawnSync(join(programs, 'promtool'), ['test', 'rules', file], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
  }

  it('fires in each trouble exactly its alert, ends with it, and is silent on a restart and in a calm shop', () => {
    judge(cases, '30s');
    const named = [...readFileSync(rules, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name = '']) => name);
    const fired = new Set(cases.flatMap(({ fires }) => Object.values(fires).flat()).map((each) => each.split(' ')[0]));
    assert.deepEqual(
      [...new Set(named)].filter((name) => !fired.has(name)),
      ['SalesSilent'],
    );
  });

  it('tells a silent shop by its own week before, and only where prices are still asked for', () => {
    judge([silent('0+20x800'), silent('0+20x700 14000+0x100')], '15m');
  });

  it('reads only figures that the service has, and each alert has its paragraph in the runbook', async () => {
    const { operator, stop } = await startWatchedApp({ withData: false });
    try {
      const text = await (await fetch(`${operator.url}/metrics`)).text();
      const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
      const { groups } = load(readFileSync(rules, 'utf8')) as {
        groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
      };
      for (const { alert, expr, annotations } of groups.flatMap((group) => group.rules)) {
        for (const [name] of expr.matchAll(/deals_\w+/g)) assert.ok(known.has(name), `${alert}: ${name}`);
        assert.match(annotations['description'] ?? '', /\.$/, alert);
        const [page = '', paragraph = ''] = annotations['runbook_url']?.split('#') ?? [];
        const text = readFileSync(findProjectFile(page), 'utf8');
        const [, found = ''] = text.split(`\n### ${alert}\n`);
        assert.equal(paragraph, alert.toLowerCase());
        assert.match(found.split('\n##', 1)[0] ?? '', / Over /, `${alert} has no paragraph that says when it is over`);
      }
    } finally {
      await stop();
    }
  });
});
