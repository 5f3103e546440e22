import assert from 'node:assert/strict';
import type { Deal } from '../../../generated/types.gen.js';
import { concatBytes } from '../../../src/contract/rendered.js';
import { resolvePointer } from '../../../src/contract/read-operations.js';
import { metros } from '../../../src/places/metros/metros.js';
import { startTestApp, type TestApp } from '../../support/app.js';

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
    app = await startTestApp();
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
    // The first four need a history of days, the last two county records that are not sold yet.
    const later = [
      'price_reduced',
      'repeated_price_cut',
      'long_on_feed',
      'relisted',
      'tax_delinquent_match',
      'sheriff_sale_match',
    ];
    assert.deepEqual(
      missing.filter((code) => !later.includes(String(code))),
      [],
    );
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
