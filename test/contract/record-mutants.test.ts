import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Deal, DealIds, Lead, Meta, Report } from '../../generated/types.gen.js';
import type { ContractOperation } from '../../src/contract/contract.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { resolvePointer } from '../../src/contract/read-operations.js';
import { createValidators } from '../../src/contract/validators.js';
import { startTestApp } from '../support/app.js';
import { observeDebtsOn, readMatchingSignals } from '../support/county-records.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { livePath } from '../support/live-path.js';
import { buy } from '../support/pay.js';
import { anyDeal } from '../reports/arbitrary-deal.js';
import { someMatches } from '../reports/some-matches.js';
import { writeReport } from '../reports/write-report.js';
import { mutationKinds } from './mutate-record.js';
import { refuseMutants } from './refuse-mutants.js';
import { isNode, type SchemaNode } from './schema-nodes.js';

const contract = loadContract();
const validators = createValidators(contract);
const seed = 20261121;
const priced = contract.operations.filter(({ priceUsd }) => priceUsd !== undefined);
/** The schemas of what is sold, each with the operations that sell it. */
const soldSchemas = new Map<string, string[]>();
for (const operation of priced) {
  const name = soldSchema(operation);
  soldSchemas.set(name, [...(soldSchemas.get(name) ?? []), operation.operationId]);
}

/** The kinds of leads, which are one schema each of those that `Lead` is one of. */
const leadSchemas = [
  ['SheriffSaleLead', 'sheriff_sale_auction'],
  ['TaxDelinquentLead', 'tax_delinquent_owner'],
  ['MotivatedListingLead', 'motivated_listing'],
] as const;

describe('records of the demonstration, and their mutants', () => {
  let deals: Deal[];
  const sold = new Map<string, readonly unknown[]>();
  let ids: DealIds;
  let meta: Meta;
  const reports: Report[] = [];

  before(async () => {
    const app = await startTestApp({ settler: createInstantSettler() });
    try {
      const inCleveland = await buy(`${app.url}/api/deals?state=OH&city=Cleveland`);
      await readMatchingSignals(app, observeDebtsOn((await inCleveland.json()) as Deal[]));
      await app.work.publish('all');
      for (const operation of priced) {
        const reply = (await (await buy(app.url + livePath(app, operation.path))).json()) as unknown;
        const name = soldSchema(operation);
        sold.set(name, [...(sold.get(name) ?? []), ...(Array.isArray(reply) ? (reply as unknown[]) : [reply])]);
      }
      deals = sold.get('Deal') as Deal[];
      ids = (await (await fetch(`${app.url}/api/deals/ids`)).json()) as DealIds;
      // One of every thirty has every kind of absence.
      for (const { report_url: url } of ids.ids.filter((_, index) => index % 30 === 0))
        reports.push((await (await buy(app.url + url)).json()) as Report);
      sold.set('Report', [...reports, ...matchedReports()]);
      meta = (await (await fetch(`${app.url}/api/meta`)).json()) as Meta;
    } finally {
      await app.stop();
    }
  });

  it('accepts every record as it is', () => {
    assert.ok(deals.length >= 500, `${deals.length} deals`);
    for (const [schemaName, records] of sold) for (const record of records) assertAccepted(schemaName, record);
    for (const signal of deals.flatMap((deal) => deal.motivation_signals)) assertAccepted('MotivationSignal', signal);
    for (const entry of ids.ids) assertAccepted('DealIdEntry', entry);
    assertAccepted('Meta', meta);
    const offers = (sold.get('Report') as Report[]).map(({ offer_range: offer }) => offer === null);
    assert.equal(new Set(offers).size, 2, 'with an offer and without');
  });

  it('has deals in which ten fields or more are absent, so that absence is really tried', () => {
    const nullable = Object.keys(deals[0] ?? {}).filter((name) => deals.some((deal) => valueOf(deal, name) === null));
    assert.ok(nullable.length >= 10, `null somewhere: ${nullable.join(', ')}`);
  });

  for (const [schemaName, operations] of soldSchemas)
    it(`refuses 10,000 mutants of ${schemaName}, sold by ${operations.join(' and ')}`, function () {
      this.timeout(120_000);
      const kinds = refuseMutants(schemaName, sold.get(schemaName) ?? [], 10_000);
      // A schema without enumerations, say, has no mutants of them.
      const common = [...kinds.values()].filter((count) => count > 20);
      assert.ok(common.length >= mutationKinds.length - 2, JSON.stringify([...kinds]));
      if (schemaName === 'Deal' || schemaName === 'Report') assert.equal(common.length, mutationKinds.length);
    });

  for (const [schemaName, leadType] of leadSchemas)
    it(`refuses 10,000 mutants of ${schemaName}`, function () {
      this.timeout(120_000);
      const leads = (sold.get('Lead') as Lead[]).filter(({ lead_type: type }) => type === leadType);
      const kinds = refuseMutants(schemaName, leads, 10_000);
      assert.ok(
        mutationKinds.every((kind) => (kinds.get(kind) ?? 0) > 20),
        JSON.stringify([...kinds]),
      );
    });

  it('refuses mutants of what is looked up, of whatever kind it is', () => {
    const looked = { match_type: 'exact_no_zip', confidence: '0.93', matched_on: ['house_number', 'street', 'city'] };
    for (const [entity, schemaName] of [
      ['deal', 'Deal'],
      ['auction', 'Auction'],
    ] as const) {
      const records = (sold.get(schemaName) ?? []) as readonly { id: string }[];
      const found = records.map((record) => ({ ...looked, entity, id: record.id, record }));
      for (const each of found) assertAccepted('LookedUp', each);
      refuseMutants('LookedUp', found, 2_000);
    }
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

  it('refuses mutants of motivation signals, of id entries and of the metadata', () => {
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

/** The schema of one record that an operation sells; of the whole reply where that is no list. */
function soldSchema({ operationId, replies }: ContractOperation): string {
  const [pointer = ''] = replies.get(200)?.values() ?? [];
  let reference = followed(pointer);
  const { type, items } = reference.schema;
  if (type === 'array' && isNode(items)) reference = { ...reference, name: nameIn(items) };
  assert.ok(reference.name, operationId);
  return reference.name;
}

function followed(pointer: string): { readonly name: string; readonly schema: SchemaNode } {
  const schema = resolvePointer(contract.document, pointer);
  assert.ok(isNode(schema));
  return typeof schema['$ref'] === 'string'
    ? followed(schema['$ref'])
    : { name: pointer.split('/').at(-1) ?? '', schema };
}

function nameIn({ $ref }: SchemaNode): string {
  return String($ref).split('/').at(-1) ?? '';
}

/** Reports with matched county records, of which some say less than others. */
function matchedReports(): Report[] {
  return fc.sample(anyDeal, { seed, numRuns: 20 }).map((deal) => writeReport(deal, undefined, someMatches));
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
