import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Deal, Meta, Report } from '../../generated/types.gen.js';
import { getReport } from '../../generated/sdk.gen.js';
import { getMeta, listDeals } from '../support/full-deals.js';
import { findProjectFile } from '../../src/project-file.js';
import { anyDeal } from '../deals/reports/arbitrary-deal.js';
import { writeReport } from '../deals/reports/write-report.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { startTestApp } from '../support/app.js';
import { deep } from '../support/depth.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { rates } from '../underwriting/build-listing.js';

const reportCount = deep(40, 20);

interface Published {
  readonly meta: Meta;
  readonly deals: readonly Deal[];
  readonly reports: readonly Report[];
}

/** What a buyer gets of the demonstration: all deals, and reports from the best to the worst of them. */
async function buyDemonstration(): Promise<Published> {
  const app = await startTestApp({ settler: createInstantSettler() });
  try {
    const client = createApiClient(app.url);
    const meta = (await getMeta({ client })).data ?? assert.fail('no metadata');
    const deals = (await purchase((headers) => listDeals({ client, headers }))).data ?? [];
    const reports: Report[] = [];
    for (let index = 0; index < reportCount; index++) {
      const { id } = deals[Math.floor((index * deals.length) / reportCount)] ?? assert.fail('too few deals');
      const { data } = await purchase((headers) => getReport({ client, headers, path: { id } }));
      reports.push(data ?? assert.fail(id));
    }
    return { meta, deals, reports };
  } finally {
    await app.stop();
  }
}

/** The metadata of a service with the rates of generated deals; those of the demonstration are of its month. */
function withRatesOfTests({ underwriting, ...meta }: Meta): Meta {
  const { asOf: as_of, oneToFourUnitsPct: one_to_four_units_pct, fivePlusUnitsPct: five_plus_units_pct } = rates;
  const given = { as_of, one_to_four_units_pct, five_plus_units_pct };
  const mortgage_rates = { ...underwriting.mortgage_rates, ...given };
  return { ...meta, underwriting: { ...underwriting, mortgage_rates } };
}

describe('records and reports, recomputed by a script of the standard library', () => {
  const directory = mkdtempSync(join(tmpdir(), 'recompute-'));
  let published: Published;

  before(async function () {
    if (spawnSync('python3', ['--version']).status !== 0) {
      process.stderr.write('SKIPPED: python3 is not installed\n');
      this.skip();
    }
    published = await buyDemonstration();
  });
  after(() => rmSync(directory, { recursive: true }));

  /** The script's lines, the last of which counts, and its exit code. */
  function recompute(given: Published): { readonly lines: readonly string[]; readonly status: number | null } {
    const file = join(directory, 'published.json');
    writeFileSync(file, JSON.stringify(given));
    const script = findProjectFile('test/recompute/recompute.py');
    const { stdout, stderr, status } = spawnSync('python3', ['-B', script, file], { encoding: 'utf8' });
    assert.equal(stderr, '');
    return { lines: stdout.trimEnd().split('\n'), status };
  }

  function assertEqual(given: Published): void {
    const { lines, status } = recompute(given);
    assert.match(lines.slice(-12).join('\n'), /^\d{4,} compared, 0 differences$/);
    assert.equal(status, 0);
  }

  it('have every figure, status and score that they and /api/meta give: the whole demonstration', () => {
    assert.equal(published.deals.length, published.meta.coverage.active_records);
    assert.equal(published.reports.length, reportCount);
    assertEqual(published);
  });

  it('have them for any absence and any doubt: generated deals with their reports', () => {
    const reports = fc.sample(anyDeal, { numRuns: deep(300, 80) }).map((deal) => writeReport(deal));
    assertEqual({ meta: withRatesOfTests(published.meta), deals: reports.map(({ deal }) => deal), reports });
  });

  it('are told by record and field with both values, for each kind of defect in a copy', () => {
    const { meta } = published;
    const report =
      published.reports.find(
        ({ deal: { cap_gap_pct: gap, motivation_score: signals, data_quality: codes }, ...rest }) => {
          return rest.offer_range && rest.underwriting.rent_band && gap && signals > 0 && codes.length === 0;
        },
      ) ?? assert.fail('no report for it');
    const { deal, underwriting } = report;
    const given = deal.underwriting_inputs ?? assert.fail();
    const told = (field: string, ours: unknown, theirs: unknown) => `${field}: ours ${ours}, theirs ${theirs}`;
    const { rental } = deal.rationales;
    const status = deal.wholesale_status === 'Pass' ? 'Warm' : 'Pass';
    const deals: readonly (readonly [Partial<Deal>, string])[] = [
      [
        { underwriting_inputs: { ...given, expenses: { ...given.expenses, insurance: '1.00' } } },
        told('expenses.insurance', given.expenses.insurance, '1.00'),
      ],
      [
        { underwriting_inputs: { ...given, noi_for_value: '1.00' } },
        told('noi_for_value', given.noi_for_value, '1.00'),
      ],
      [{ cap_gap_pct: '3.21' }, told('cap_gap_pct', deal.cap_gap_pct, '3.21')],
      [{ underwrite_reliability: 'unknown' }, told('underwrite_reliability', deal.underwrite_reliability, 'unknown')],
      [{ data_quality: ['units_suspect'] }, told('data_quality units_suspect', 'False', 'True')],
      [{ wholesale_status: status }, told('wholesale_status', deal.wholesale_status, status)],
      [{ deal_score: deal.deal_score + 1 }, told('deal_score', deal.deal_score, deal.deal_score + 1)],
      [{ motivation_signals: [] }, told('motivation_score', 0, deal.motivation_score)],
      [
        { rationales: { ...deal.rationales, rental: { ...rental, thresholds: { warm_dscr_min: '0.90' } } } },
        told('rental.thresholds.warm_dscr_min', rental.thresholds['warm_dscr_min'], '0.90'),
      ],
    ];
    for (const [defect, line] of deals) {
      const { lines, status: code } = recompute({ meta, deals: [{ ...deal, ...defect }], reports: [] });
      assert.ok(lines.includes(`${deal.id} ${line}`), `${line} is not among\n${lines.join('\n')}`);
      assert.equal(code, 1);
    }
    const [offer, band] = [report.offer_range ?? assert.fail(), underwriting.rent_band ?? assert.fail()];
    const one = { ...band.one_bedroom, noi: '1.00' };
    const reports: readonly (readonly [Partial<Report>, string])[] = [
      [{ offer_range: { ...offer, high: '1.00' } }, told('offer_range.high', offer.high, '1.00')],
      [
        { underwriting: { ...underwriting, rent_band: { ...band, one_bedroom: one } } },
        told('rent_band.one_bedroom.noi', band.one_bedroom.noi, '1.00'),
      ],
      [
        { underwriting: { ...underwriting, noi_stabilized: '1.00' } },
        told('noi_stabilized', underwriting.noi_stabilized, '1.00'),
      ],
    ];
    for (const [defect, line] of reports) {
      const { lines } = recompute({ meta, deals: [], reports: [{ ...report, ...defect }] });
      assert.deepEqual(lines.slice(0, -1), [`report of ${deal.id} ${line}`]);
    }
  });
});
