import assert from 'node:assert/strict';
import type { Deal, Report } from '../../generated/types.gen.js';
import type { ContractOperation } from '../../src/contract/contract.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { resolvePointer } from '../../src/contract/read-operations.js';
import { createValidators } from '../../src/contract/validators.js';
import { startTestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { collectRecords, schemasWithin } from './collect-records.js';
import { mutationKinds } from './mutate-record.js';
import { refuseMutants } from './refuse-mutants.js';
import { addDistress, sampleReplies } from './sample-replies.js';
import { isNode, propertiesOf, type SchemaNode } from './schema-nodes.js';
import { deep, sliceOf } from '../support/depth.js';

const contract = loadContract();
/** How many of each schema. */
const mutants = deep(10_000, 200);
const validators = createValidators(contract);
/** What replies with data: what is sold, and what is free of it. */
const operations = contract.operations.filter(
  ({ operationId, priceUsd }) =>
    priceUsd !== undefined ||
    ['listDealIds', 'getMeta', 'getCoverage', 'listSources', 'countChanges', 'getPayment'].includes(operationId),
);
/** Every schema of a record: of an object, or of several that it may be. */
const schemas = [...new Set(operations.flatMap((each) => [...schemasWithin(contract.document, replyOf(each))]))].filter(
  (name) => {
    const { type, anyOf, oneOf } = nodeAt(`#/components/schemas/${name}`);
    return type === 'object' || Array.isArray(anyOf ?? oneOf);
  },
);
/** Of these every way to break a record is tried often; others have no enumerations, say. */
const ofEveryKind = ['Deal', 'Report', 'SheriffSaleLead', 'TaxDelinquentLead', 'MotivatedListingLead'];
/** Of which a service has one or few that differ, and little is in them: they have no 10,000 mutants. */
const fewMutants = [
  'AssumptionSet',
  'AuctionsFeed',
  'ColumnImport',
  'CountsByCode',
  'ImportReport',
  'Changes',
  'ChangesGuide',
  'DealChanges',
  'DealCoverage',
  'DealIds',
  'ExampleReport',
  'StatedLine',
  'ExpenseLine',
  'FeedVersions',
  'FilterGuide',
  'LeadRationale',
  'LookupCoverage',
  'PaymentStatus',
  'Pricing',
  'Provenance',
  'RentedUnits',
  'ShortFeed',
  'ShortMeta',
  'SignalsFeed',
  'SourceBehind',
  'SourceError',
  'SourceState',
  'Sources',
  'SourcesBehind',
  'StateChanges',
  'UnderwritingState',
];

describe('records of the demonstration, and their mutants', () => {
  const records = new Map<string, unknown[]>();
  let deals: Deal[];

  before(async () => {
    const app = await startTestApp({ settler: createInstantSettler() });
    try {
      await addDistress(app);
      for (const operation of operations)
        for (const reply of await sampleReplies(app, operation))
          collectRecords({ document: contract.document, validators }, replyOf(operation), reply, records);
    } finally {
      await app.stop();
    }
    deals = records.get('Deal') as Deal[];
  });

  it('accepts every record as it is', () => {
    assert.ok(deals.length >= 500, `${deals.length} deals`);
    for (const [name, each] of records) {
      const check = validators.at(`#/components/schemas/${name}`);
      for (const record of each) assert.ok(check(record), `${name}: ${JSON.stringify(check.faults()[0])}`);
    }
    const offers = (records.get('Report') as Report[]).map(({ offer_range: offer }) => offer === null);
    assert.equal(new Set(offers).size, 2, 'with an offer and without');
  });

  it('has deals in which ten fields or more are absent, so that absence is really tried', () => {
    const nullable = Object.keys(deals[0] ?? {}).filter((name) => deals.some((deal) => valueOf(deal, name) === null));
    assert.ok(nullable.length >= 10, `null somewhere: ${nullable.join(', ')}`);
  });

  it('leaves out no schema that can say why something is absent', () => {
    const all = Object.entries(nodeAt('#/components/schemas'));
    // What is a part of others is tried with them.
    const parts = [...contract.text.matchAll(/allOf:\s*\[([^\]]*)\]/g)].map(([, each]) => each).join();
    const isPart = (name: string) => parts.includes(`/${name}'`);
    const stating = all.filter(([, node]) => isNode(node) && propertiesOf(node).some(([name]) => name === 'absent'));
    assert.ok(stating.length > 20, `${stating.length} schemas`);
    assert.deepEqual(
      stating.map(([name]) => name).filter((name) => !schemas.includes(name) && !isPart(name)),
      [],
    );
  });

  /** Each of them, or in an ordinary test run some of many. */
  function mutated(name: string): readonly unknown[] {
    const all = records.get(name) ?? [];
    return all.length > 200 ? sliceOf(all, 8) : all;
  }

  for (const name of schemas) {
    const title = fewMutants.includes(name)
      ? `refuses every mutant of ${name}, whose records have fewer than 10,000`
      : `refuses ${mutants} different mutants of ${name}`;
    it(title, function () {
      const kinds = refuseMutants(name, mutated(name).flatMap(shortenings), mutants);
      const count = [...kinds.values()].reduce((sum, each) => sum + each, 0);
      if (fewMutants.includes(name)) assert.ok(count > 0 && count < 10_000 && count <= mutants, `${count} mutants`);
      else assert.equal(count, mutants);
      if (ofEveryKind.includes(name))
        assert.ok(
          mutationKinds.every((kind) => (kinds.get(kind) ?? 0) > mutants / 500),
          JSON.stringify([...kinds]),
        );
    });
  }

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

/** The schema of what an operation replies with 200. */
function replyOf({ replies }: ContractOperation): SchemaNode {
  const [pointer = ''] = replies.get(200)?.values() ?? [];
  return nodeAt(pointer);
}

function nodeAt(pointer: string): SchemaNode {
  const node = resolvePointer(contract.document, pointer);
  assert.ok(isNode(node), pointer);
  return node;
}

/** With one of the first records of each list in turn: each mutant is proven whole, and a list of all has no others. */
function shortenings(value: unknown): readonly unknown[] {
  return [0, 1, 2].map((place) => shortened(value, place));
}

function shortened(value: unknown, place: number): unknown {
  if (Array.isArray(value)) {
    const isOfRecords = isNode(value[0]) && 'id' in value[0];
    const kept = isOfRecords ? [value[place % value.length] as unknown] : value;
    return kept.map((each) => shortened(each, place));
  }
  if (!isNode(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member, place)]));
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
