import assert from 'node:assert/strict';
import type { Auction, Deal } from '../../../generated/types.gen.js';
import { isKnown, valueOf } from '../../../src/absence.js';
import { concatBytes } from '../../../src/contract/rendered.js';
import { resolvePointer } from '../../../src/contract/read-operations.js';
import { composeReport } from '../../../src/deals/reports/compose-report.js';
import { createReportInputsReader } from '../../../src/deals/reports/report-inputs-reader.js';
import { metros } from '../../../src/places/metros/metros.js';
import { readOffer } from '../../../src/deals/scoring/price-events.js';
import { findAssumptionSet } from '../../../src/underwriting/assumption-set.js';
import { doubtsOf } from '../../../src/underwriting/plausibility.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { sliceOf } from '../../support/depth.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

describe('the published demonstration', () => {
  let app: TestApp;
  let deals: Deal[];
  before(async () => {
    app = await startTestApp({ withData: false });
    await app.deliver(app.now());
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    const { body } = await app.feeds.deals.page('full', { filter: {}, limit: 10_000 });
    deals = JSON.parse(Buffer.from(concatBytes(body)).toString('utf8')) as Deal[];
  });
  after(() => app.stop());

  it('has 500 deals or more, in all 29 metros, each marked as demonstration', () => {
    assert.ok(deals.length >= 500, `${deals.length} deals`);
    const counties = new Set(deals.map((deal) => `${deal.state} ${deal.county}`));
    assert.deepEqual(
      metros.filter((metro) => !counties.has(`${metro.state} ${metro.coreCounty}`)).map(({ name }) => name),
      [],
    );
    assert.ok(deals.every((deal) => deal.provenance.data_class === 'demonstration'));
  });

  it('has 10% to 35% Hot deals on the rental path, none of them unchecked', () => {
    const hot = deals.filter(({ rental_status: status }) => status === 'Hot');
    assert.ok(hot.length >= deals.length * 0.1 && hot.length <= deals.length * 0.35, `${hot.length}`);
    assert.ok(hot.every(({ underwrite_reliability: reliability }) => reliability === 'ok'));
    assert.ok(deals.some((deal) => deal.underwrite_reliability !== 'ok' && deal.rental_status === 'Warm'));
  });

  it('has deals of each data-quality code but that of a stale rent', () => {
    const codes: readonly string[] = [
      ...Object.keys(doubtsOf),
      ...['cap_noi_disagree', 'expenses_incomplete', 'sources_disagree', 'address_not_parsed'],
    ];
    const seen = new Set(deals.flatMap(({ data_quality: flags }) => flags));
    assert.deepEqual([...seen].sort(), [...codes].sort());
  });

  it('has deals whose owner pays the utilities, and deals whose tenants do', () => {
    const inputs = deals.flatMap(({ underwriting_inputs: each }) => each?.unit_mix ?? []);
    const owners = inputs.filter(({ utility_allowance: allowance }) => allowance === '0').length;
    assert.ok(owners > 0 && owners < inputs.length, `${owners} of ${inputs.length}`);
  });

  it('offers less than the ask for some deals and could pay more for others, each from a low to a higher price', async () => {
    const reader = createReportInputsReader(app.database.knex);
    const { version } = app.feeds.deals.current();
    const offers = [];
    for (const { id } of sliceOf(deals, 4)) {
      const inputs = (await reader.readReportInputs(id, version)) ?? assert.fail(`${id} has no report`);
      const assumptions = findAssumptionSet(inputs.assumptionSet) ?? assert.fail('the assumptions are known');
      const { offer } = composeReport({ inputs, assumptions, matches: inputs.matches, countyDeals: [] });
      if (isKnown(offer)) offers.push(offer.value);
    }
    const rooms = offers.map(({ headroomPct }) => Number(valueOf(headroomPct)));
    assert.ok(rooms.some((room) => room < 0) && rooms.some((room) => room > 0));
    assert.ok(offers.length >= 76, `${offers.length} offers`);
    assert.deepEqual(
      offers.filter(({ low, high }) => Number(low) >= Number(high)),
      [],
    );
  });

  it('stands on the rents of FY2027, each of them', () => {
    const years = deals.flatMap(({ underwriting_inputs: each }) => each?.hud_fiscal_year ?? []);
    assert.ok(years.length > deals.length * 0.8);
    assert.deepEqual([...new Set(years)], [2027]);
  });

  it('takes 1,400 bytes at most for what figures and scores follow from', () => {
    const sizes = deals.map(({ underwriting_inputs: one, score_inputs: other }) =>
      Buffer.byteLength(JSON.stringify([one, other])),
    );
    assert.ok(Math.max(...sizes) <= 1_400, `${Math.max(...sizes)}`);
  });

  it('takes 8,500 bytes at most for a record', () => {
    const sizes = deals.map((deal) => Buffer.byteLength(JSON.stringify(deal)));
    assert.ok(Math.max(...sizes) <= 8_500, `${Math.max(...sizes)}`);
  });

  it('begins with thirty days of price cuts, relistings and mistyped prices', async () => {
    const days = deals.map(({ days_on_feed: each }) => each);
    assert.deepEqual([Math.min(...days), Math.max(...days)], [0, 30]);
    const count = (code: string) =>
      deals.filter((deal) => deal.motivation_signals.some((signal) => signal.code === code)).length;
    assert.ok(count('price_reduced') >= deals.length * 0.15, `${count('price_reduced')} cut`);
    assert.ok(count('repeated_price_cut') >= 20 && count('relisted') >= 10);
    const reader = createReportInputsReader(app.database.knex);
    const { version } = app.feeds.deals.current();
    const histories = await Promise.all(sliceOf(deals, 2).map(({ id }) => reader.readReportInputs(id, version)));
    const offers = histories.flatMap((inputs) =>
      (inputs?.priceHistory ?? []).flatMap(({ offers: each }) => each.map((prices) => readOffer(prices).points)),
    );
    const events = new Set(offers.flatMap((points) => points.map(({ event }) => event)));
    for (const event of ['listed', 'cut', 'corrected'] as const) assert.ok(events.has(event), event);
    assert.ok(offers.some((points) => new Set(points.map(({ price }) => price)).size === 4));
  });

  it('begins with sales that were adjourned, withdrawn and cancelled, and when', async () => {
    const { body } = await app.feeds.auctions.page('full', { filter: {}, limit: 10_000 });
    const sales = JSON.parse(Buffer.from(concatBytes(body)).toString('utf8')) as Auction[];
    for (const { sale_status: status, status_history: history } of sales) assert.equal(history[0]?.status, status);
    for (const status of ['adjourned', 'withdrawn', 'cancelled'] as const) {
      const found = sales.filter((sale) => sale.sale_status === status);
      assert.ok(
        found.some((sale) => sale.status_history.length > 1 && sale.first_seen < (sale.status_history[0]?.date ?? '')),
        status,
      );
    }
  });

  it('covers every enum value that a deal of the demonstration can have', () => {
    const missing = Object.entries(dealProperties()).flatMap(([field, declared]) => {
      const schema = resolve(declared);
      const values = schema.enum ?? resolve(schema.items ?? {}).enum ?? [];
      const seen = new Set(deals.flatMap((deal) => Reflect.get(deal, field) as unknown));
      return values.filter((value) => !seen.has(value)).map((value) => `${field} ${String(value)}`);
    });
    assert.deepEqual(missing, []);
  });

  it('covers every motivation signal of our own observations', () => {
    const seen = new Set(deals.flatMap((deal) => deal.motivation_signals.map(({ code }) => code)));
    const signal = resolve({ $ref: '#/components/schemas/MotivationSignal' });
    const missing = (signal.properties?.['code']?.enum ?? []).filter((code) => !seen.has(code as never));
    // It needs two months.
    assert.deepEqual(missing, ['long_on_feed']);
  });

  it('covers every reason for absence that the contract declares for a deal', () => {
    const declared = resolve(dealProperties()['absent'] ?? {}).properties ?? {};
    const reasons = new Set(
      Object.values(declared).flatMap((schema) => resolve(schema).properties?.['reason']?.enum ?? []),
    );
    const seen = new Set(deals.flatMap((deal) => Object.values(deal.absent).map(({ reason }) => reason as unknown)));
    // HUD publishes rents for every place but military post offices.
    assert.deepEqual(
      [...reasons].filter((reason) => !seen.has(reason)),
      ['no_hud_rent'],
    );
  });

  function dealProperties(): Readonly<Record<string, Schema>> {
    return resolve({ $ref: '#/components/schemas/Deal' }).properties ?? {};
  }

  function resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : (resolvePointer(app.contract.document, schema.$ref) as Schema);
  }
});
