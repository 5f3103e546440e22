import assert from 'node:assert/strict';
import fc from 'fast-check';
import { known } from '../../src/absence.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { ContractBreach } from '../../src/contract/prover.js';
import { createValidators } from '../../src/contract/validators.js';
import type { Deal } from '../../src/deals/deal.js';
import type { DealFacts } from '../../src/deals/deal-facts.js';
import { openDealThread, type DealThread } from '../../src/publishing/open-deal-thread.js';
import { createPrepareInTurns, recordOrThrow } from '../../src/publishing/prepare-deals.js';
import { anyDeal } from '../deals/reports/arbitrary-deal.js';
import { maybe } from '../api/maybe-fields.js';
import { anyListing, numberListings } from '../sources/ingest/arbitrary-observation.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { startTestApp } from '../support/app.js';
import { readSomeCountyRecords } from '../support/county-records.js';
import { deep } from '../support/depth.js';
import { readSource } from '../support/read-source.js';

const now = new Date('2026-11-21T06:00:00.000Z');
const prepareHere = createPrepareInTurns(createValidators(loadContract()));
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** What so many deals of any kind are made of, from a number on. */
function anyFacts(count: number, first = 0): DealFacts {
  const deals = fc.sample(anyDeal, { numRuns: count, seed: first }).map((deal, index): Deal => {
    const id = idOf(first + index);
    return { ...deal, id, listing: { ...deal.listing, id } };
  });
  const byId = <Value>(valueOf: (deal: Deal) => Value) => new Map(deals.map((deal) => [deal.id, valueOf(deal)]));
  // As readers give them: without the bare prototypes of generated records.
  return structuredClone({
    listings: deals.map(({ listing }) => listing),
    places: byId(({ place }) => place),
    figures: byId(({ inputs: { rent, rates, nonmetropolitan, isZipElsewhere } }) => ({
      rent,
      rates,
      nonmetropolitan,
      isZipElsewhere,
    })),
    matches: byId(({ matches }) => matches),
    licences: new Map(deals.map(({ listing, licence }) => [listing.sourceName, licence])),
    medianCaps: new Map([['39035', { value: '7.40' }]]),
    now,
  });
}

describe('a deal that is prepared', () => {
  it('is none where its source has no licence', async () => {
    assert.deepEqual(await prepareHere({ ...anyFacts(3), licences: new Map() }), []);
  });

  it('that breaks the contract is told by the places where it does, and the others go on', async () => {
    const facts = anyFacts(3);
    const [broken, ...others] = facts.listings;
    assert.ok(broken);
    const prepared = await prepareHere({ ...facts, listings: [{ ...broken, state: 'Ohio' }, ...others] });
    const [first, ...rest] = prepared;
    assert.ok(first);
    assert.throws(() => recordOrThrow(first.record), ContractBreach);
    assert.throws(() => recordOrThrow(first.record), /Deal breaks the contract: \/state/);
    assert.deepEqual(
      rest.map(({ record }) => recordOrThrow(record).id),
      others.map(({ id }) => id),
    );
  });

  it('is no lead where it breaks the contract: leads tell of deals that can be bought', async () => {
    const facts = anyFacts(100);
    const leads = (await prepareHere(facts)).flatMap(({ id, lead }) => (lead ? id : []));
    assert.ok(leads.length > 0);
    const broken = { ...facts, listings: facts.listings.map((listing) => ({ ...listing, zip: known('4410') })) };
    const prepared = await prepareHere(broken);
    assert.ok(prepared.every(({ record }) => 'breach' in record));
    assert.ok(prepared.every(({ lead }) => lead === undefined));
  });
});

describe('the thread that prepares deals', () => {
  let thread: DealThread;
  before(() => (thread = openDealThread()));
  after(() => thread.close());

  it('prepares any deal to the same bytes as this one, breaches and leads included', async () => {
    const facts = anyFacts(deep(300, 60));
    const [broken, ...others] = facts.listings;
    assert.ok(broken);
    const mixed = { ...facts, listings: [{ ...broken, state: 'Ohio' }, ...others] };
    const expected = await prepareHere(mixed);
    assert.equal(expected.length, facts.listings.length);
    assert.ok(expected.some(({ lead }) => lead !== undefined));
    assert.deepEqual(await thread.prepare(mixed), expected);
  });

  it('answers in the order in which it is asked', async () => {
    const asked = [anyFacts(30), anyFacts(1, 100), anyFacts(10, 200)];
    const answers = await Promise.all(asked.map((facts) => thread.prepare(facts)));
    assert.deepEqual(
      answers.map((deals) => deals.map(({ id }) => id)),
      asked.map(({ listings }) => listings.map(({ id }) => id)),
    );
  });

  it('gives each its own answer where another asks what cannot be handed over', async () => {
    const unfit = { ...anyFacts(1), now: () => now } as unknown as DealFacts;
    const [first, none, last] = await Promise.allSettled([anyFacts(1), unfit, anyFacts(1, 9)].map(thread.prepare));
    assert.equal(none?.status, 'rejected');
    const ids = [first, last].map((answer) => (answer?.status === 'fulfilled' ? answer.value[0]?.id : undefined));
    assert.deepEqual(ids, [idOf(0), idOf(9)]);
  });

  it('refuses what it is asked, now and later, once it has failed', async () => {
    const failing = openDealThread();
    const facts = anyFacts(1);
    const broken = { ...facts, listings: [undefined] } as unknown as DealFacts;
    const answers = await Promise.allSettled([broken, facts].map((each) => failing.prepare(each)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    await assert.rejects(failing.prepare(facts), TypeError);
    await failing.close();
  });

  it('is missed by nobody who still waits for it', async () => {
    const closing = openDealThread();
    const [answer] = await Promise.allSettled([closing.prepare(anyFacts(1)), closing.close()]);
    assert.equal(answer.status, 'rejected');
  });
});

describe('a publication of all deals', () => {
  async function publishAs(threadFrom: number): Promise<Record<string, unknown[]>> {
    const app = await startTestApp({ now: () => now, threadFrom, withData: false });
    try {
      const source = createScriptedDelivery('listings', { name: 'brokers', now: app.now });
      source.deliver({ pages: [numberListings(fc.sample(anyListing(maybe), { numRuns: 100, seed: 1 }))] });
      await readSource(app, source);
      await readSomeCountyRecords(app);
      await app.pipeline.publish('all');
      const { knex } = app.database;
      const columns = ['feed', 'id', 'full_json', 'basic_json', 'compact_json', 'columns', 'place_keys'];
      const records = knex('published_records').select(columns).whereIn('feed', ['deals', 'leads']);
      return {
        records: await records.orderBy(['feed', 'id']),
        reportInputs: await knex('report_inputs').select('deal_id', 'county_fips', 'inputs').orderBy('deal_id'),
      };
    } finally {
      await app.stop();
    }
  }

  it('is the same whichever thread prepares them', async () => {
    const here = await publishAs(Infinity);
    assert.ok((here.records?.length ?? 0) > 100 && here.reportInputs?.length === 100);
    assert.deepEqual(await publishAs(0), here);
  });
});
