import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { BasicDeal, Deal, DealIds, Meta, Report } from '../../generated/types.gen.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { resolvePointer } from '../../src/contract/read-operations.js';
import { createValidators } from '../../src/contract/validators.js';
import { startTestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';
import { anyDeal } from '../reports/arbitrary-deal.js';
import { someMatches } from '../reports/some-matches.js';
import { writeReport } from '../reports/write-report.js';
import { listMutations, mutationKinds } from './mutate-record.js';
import { isNode } from './schema-nodes.js';

const contract = loadContract();
const validators = createValidators(contract);
const seed = 20261121;

describe('records of the demonstration, and their mutants', () => {
  let deals: Deal[];
  let basicDeals: BasicDeal[];
  let ids: DealIds;
  let meta: Meta;
  const reports: Report[] = [];

  before(async () => {
    const app = await startTestApp({ settler: createInstantSettler() });
    try {
      deals = (await (await buy(`${app.url}/api/deals`)).json()) as Deal[];
      basicDeals = (await (await buy(`${app.url}/api/deals/basic`)).json()) as BasicDeal[];
      ids = (await (await fetch(`${app.url}/api/deals/ids`)).json()) as DealIds;
      // One of every thirty has every kind of absence.
      for (const { report_url: url } of ids.ids.filter((_, index) => index % 30 === 0))
        reports.push((await (await buy(app.url + url)).json()) as Report);
      meta = (await (await fetch(`${app.url}/api/meta`)).json()) as Meta;
    } finally {
      await app.stop();
    }
  });

  it('accepts every record as it is', () => {
    assert.ok(deals.length >= 500, `${deals.length} deals`);
    for (const deal of deals) assertAccepted('Deal', deal);
    for (const deal of basicDeals) assertAccepted('BasicDeal', deal);
    for (const signal of deals.flatMap((deal) => deal.motivation_signals)) assertAccepted('MotivationSignal', signal);
    for (const entry of ids.ids) assertAccepted('DealIdEntry', entry);
    assertAccepted('Meta', meta);
    for (const report of reports) assertAccepted('Report', report);
    for (const report of matchedReports()) assertAccepted('Report', report);
  });

  it('has deals in which ten fields or more are absent, so that absence is really tried', () => {
    const nullable = Object.keys(deals[0] ?? {}).filter((name) => deals.some((deal) => valueOf(deal, name) === null));
    assert.ok(nullable.length >= 10, `null somewhere: ${nullable.join(', ')}`);
  });

  it('refuses 10,000 mutants of deals', () => {
    const kinds = refuseMutants('Deal', deals, 10_000);
    for (const kind of mutationKinds)
      assert.ok((kinds.get(kind) ?? 0) > 20, `${kind}: ${kinds.get(kind) ?? 0} mutants`);
  });

  it('refuses 10,000 mutants of reports', function () {
    this.timeout(120_000);
    const all = [...reports, ...matchedReports()];
    assert.ok(all.some(({ offer_range: offer }) => offer === null) && all.some(({ offer_range: offer }) => offer));
    const kinds = refuseMutants('Report', all, 10_000);
    for (const kind of mutationKinds)
      assert.ok((kinds.get(kind) ?? 0) > 20, `${kind}: ${kinds.get(kind) ?? 0} mutants`);
  });

  it('refuses 10,000 mutants of the parts of reports: matched records, sides, rows, market', () => {
    const all = [...reports, ...matchedReports()];
    refuseMutants(
      'MatchedSignal',
      all.flatMap(({ signals }) => signals),
      2_000,
    );
    refuseMutants(
      'MatchedAuction',
      all.flatMap(({ auctions }) => auctions),
      2_000,
    );
    refuseMutants(
      'ReportUnderwriting',
      all.map(({ underwriting }) => underwriting),
      2_000,
    );
    refuseMutants(
      'DealScoreParts',
      all.map(({ scoring }) => scoring.deal_score),
      2_000,
    );
    refuseMutants(
      'Market',
      all.map(({ market }) => market),
      2_000,
    );
  });

  it('refuses mutants of basic deals, of motivation signals, of id entries and of the metadata', () => {
    refuseMutants('BasicDeal', basicDeals, 600);
    refuseMutants(
      'MotivationSignal',
      deals.flatMap((deal) => deal.motivation_signals),
      400,
    );
    refuseMutants('DealIdEntry', ids.ids, 400);
    refuseMutants('Meta', [meta], 600);
  });

  const contradictions: readonly [string, (deal: Deal) => boolean, (deal: Deal) => unknown][] = [
    ['computed without a DSCR', hasDscr, (deal) => ({ ...without(deal, 'dscr', 'insufficient_inputs') })],
    ['a DSCR under insufficient_data', hasDscr, (deal) => ({ ...deal, dscr_status: 'insufficient_data' })],
    ['a DSCR under not_applicable', hasDscr, (deal) => ({ ...deal, dscr_status: 'not_applicable' })],
    [
      'insufficient_data for want of applicability',
      hasDscr,
      (deal) => ({ ...without(deal, 'dscr', 'not_applicable'), dscr_status: 'insufficient_data' }),
    ],
    [
      'not_applicable for want of inputs',
      hasDscr,
      (deal) => ({ ...without(deal, 'dscr', 'insufficient_inputs'), dscr_status: 'not_applicable' }),
    ],
    ['an NOI without its source', hasNoi, (deal) => without(deal, 'noi_source', 'insufficient_inputs')],
    ['a source of no NOI', hasNoi, (deal) => without(deal, 'noi', 'insufficient_inputs')],
    ['unknown reliability with all inputs', isUnderwritten, (deal) => ({ ...deal, underwrite_reliability: 'unknown' })],
    ['reliability without a rent', isUnderwritten, (deal) => without(deal, 'market_rent_2br', 'no_hud_rent')],
    ['reliability without units', isUnderwritten, (deal) => without(deal, 'units', 'not_stated_by_source')],
    ['reliability without a price', isUnderwritten, (deal) => without(deal, 'list_price', 'not_stated_by_source')],
  ];
  for (const [name, applies, contradict] of contradictions) {
    it(`refuses ${name}`, () => {
      const concerned = deals.filter(applies);
      assert.ok(concerned.length > 50, `${concerned.length} deals`);
      const check = validators.at('#/components/schemas/Deal');
      for (const deal of concerned) assert.equal(check(contradict(deal)), false, deal.id);
    });
  }
});

/** Reports with matched county records, of which some say less than others. */
function matchedReports(): Report[] {
  return fc.sample(anyDeal, { seed, numRuns: 20 }).map((deal) => writeReport(deal, undefined, someMatches));
}

/** Draws mutants of up to 60 of the records with a fixed seed; returns how many of each kind there were. */
function refuseMutants(schemaName: string, records: readonly unknown[], count: number): Map<string, number> {
  const pointer = `#/components/schemas/${schemaName}`;
  const schema = resolvePointer(contract.document, pointer);
  assert.ok(isNode(schema) && records.length > 0);
  const check = validators.at(pointer);
  const step = Math.ceil(records.length / 60);
  const drawn = records.filter((_, index) => index % step === 0);
  const byRecord = drawn.map((record) => {
    const mutations = listMutations(contract.document, schema, record);
    return mutationKinds
      .map((kind) => mutations.filter((each) => each.kind === kind))
      .filter(({ length }) => length > 0);
  });
  const kinds = new Map<string, number>();
  fc.assert(
    fc.property(fc.nat(drawn.length - 1), fc.noBias(fc.nat()), fc.noBias(fc.nat()), (position, kindIndex, index) => {
      const byKind = byRecord[position] ?? [];
      const ofKind = byKind[kindIndex % byKind.length] ?? [];
      const mutation = ofKind[index % ofKind.length];
      assert.ok(mutation);
      kinds.set(mutation.kind, (kinds.get(mutation.kind) ?? 0) + 1);
      assert.equal(check(mutation.breakRecord(drawn[position])), false, `${schemaName}: ${mutation.label}`);
    }),
    { seed, numRuns: count },
  );
  return kinds;
}

function assertAccepted(schemaName: string, record: unknown): void {
  const check = validators.at(`#/components/schemas/${schemaName}`);
  assert.ok(check(record), JSON.stringify(check.faults()[0]));
}

function valueOf(record: object, name: string): unknown {
  return Reflect.get(record, name);
}

/** The deal with a field absent for a reason: well-formed in itself. */
function without(deal: Deal, field: keyof Deal & string, reason: string): Record<string, unknown> {
  return { ...deal, [field]: null, absent: { ...deal.absent, [field]: { reason } } };
}

function hasDscr(deal: Deal): boolean {
  return deal.dscr !== null;
}

function hasNoi(deal: Deal): boolean {
  return deal.noi !== null;
}

function isUnderwritten(deal: Deal): boolean {
  return deal.list_price !== null && deal.units !== null && deal.market_rent_2br !== null;
}
