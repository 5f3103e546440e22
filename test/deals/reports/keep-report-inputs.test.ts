import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { absent, known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import type { Deal } from '../../../src/deals/deal.js';
import { makeReportInputs, writeReportInputs } from '../../../src/deals/reports/report-inputs.js';
import { createReportInputsReader, type ReportInputsReader } from '../../../src/deals/reports/report-inputs-reader.js';
import { createReportInputsStore, type ReportInputsDraft } from '../../../src/deals/reports/report-inputs-store.js';
import { keepReportInputs } from '../../../src/deals/reports/keep-report-inputs.js';
import { buildScoreInputs } from '../scoring/build-score-inputs.js';
import { openTestDatabase } from '../../support/database.js';
import { composeDeal } from './arbitrary-deal.js';

const [a, b] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];

describe('the report inputs of the published deals', () => {
  let database: Database;
  let reader: ReportInputsReader;
  beforeEach(async () => {
    database = await openTestDatabase();
    reader = createReportInputsReader(database.knex);
  });
  afterEach(() => database.close());

  const deal = (id: string, price: string, county = '39035'): Deal =>
    composeDeal(buildScoreInputs({ id, listPrice: known(price), countyFips: known(county) }));

  /** Begins a publication of the deals after a version, as their feed does. */
  async function begin(current: number): Promise<ReportInputsDraft> {
    const publication = randomUUID();
    const row = { feed: 'deals', version: current, published_at: new Date(0), publication };
    await database.knex('feed_versions').insert(row).onConflict('feed').merge();
    return { version: current + 1, publication };
  }

  /** A publisher that dies after `count` chunks; by default it takes all. */
  async function publish(current: number, deals: readonly Deal[], count = Infinity): Promise<void> {
    let taken = 0;
    const withInputs = deals.map((each) => ({
      id: each.id,
      item: { id: each.id, inputs: writeReportInputs(makeReportInputs(each)) },
    }));
    const store = createReportInputsStore(database.knex);
    for await (const chunk of keepReportInputs(inChunks(withInputs), store, await begin(current), true)) {
      assert.equal(chunk.length, 1);
      if (++taken >= count) return;
    }
    await store.discardSuperseded(current);
  }

  const priceOf = async (id: string, version: number) => (await reader.readReportInputs(id, version))?.inputs.listPrice;

  it('are complete and those of the requested version', async () => {
    await publish(0, [deal(a, '100000')]);
    await publish(1, [deal(a, '90000')]);
    assert.equal(await reader.readReportInputs(a, 0), undefined);
    assert.deepEqual(await reader.readReportInputs(a, 1), makeReportInputs(deal(a, '100000')));
    assert.deepEqual(await priceOf(a, 2), known('90000'));
    assert.deepEqual(await priceOf(a, 9), known('90000'));
  });

  it('are written again only when something changed', async () => {
    await publish(0, [deal(a, '100000'), deal(b, '200000')]);
    await publish(1, [deal(a, '100000'), deal(b, '190000')]);
    const rows = await database.knex('report_inputs').select('deal_id', 'version').orderBy(['deal_id', 'version']);
    assert.deepEqual(
      rows.map(({ deal_id: id, version }) => [id, Number(version)]),
      [
        [a, 1],
        [b, 1],
        [b, 2],
      ],
    );
  });

  it('of a publication that dies are removed by the next one', async () => {
    await publish(0, [deal(a, '100000')]);
    const many = Array.from({ length: 150 }, (_, index) => deal(a.slice(0, -3) + String(index + 100), '1'));
    await publish(1, [deal(a, '1'), ...many], 120);
    assert.deepEqual(await priceOf(a, 2), known('1'));
    await publish(1, [deal(a, '90000')]);
    assert.deepEqual(await priceOf(a, 2), known('90000'));
    assert.deepEqual(await database.knex('report_inputs').distinct('deal_id').pluck('deal_id'), [a]);
  });

  it('belong to the publication that began last; a concurrent older one changes none of them', async () => {
    await publish(0, [deal(a, '100000'), deal(b, '200000')]);
    const store = createReportInputsStore(database.knex);
    const written = (id: string, price: string) => [writeReportInputs(makeReportInputs(deal(id, price)))];
    const overtaken = await begin(1);
    const last = await begin(1);
    await store.write(last, written(a, '90000'));
    await store.begin(overtaken);
    await store.write(overtaken, [...written(a, '80000'), ...written(b, '80000')]);
    await store.retireOthers(overtaken, []);
    await store.retire(overtaken, [a]);
    assert.deepEqual([await priceOf(a, 2), await priceOf(b, 2)], [known('90000'), known('200000')]);
  });

  it('end with the version in which their deal is retired, and leave nothing behind', async () => {
    await publish(0, [deal(a, '100000'), deal(b, '200000')]);
    await publish(1, [deal(b, '200000')]);
    assert.deepEqual(await priceOf(a, 1), known('100000'));
    assert.equal(await reader.readReportInputs(a, 2), undefined);
    await publish(2, [deal(b, '200000')]);
    assert.deepEqual(await database.knex('report_inputs').distinct('deal_id').pluck('deal_id'), [b]);
    assert.deepEqual(await priceOf(b, 3), known('200000'));
  });

  it('return with a deal that returns', async () => {
    await publish(0, [deal(a, '100000'), deal(b, '200000')]);
    await publish(1, [deal(b, '200000')]);
    await publish(2, [deal(a, '100000'), deal(b, '200000')]);
    assert.deepEqual(await priceOf(a, 3), known('100000'));
  });

  it('list the deals of a county in a version, even when one moves to another county', async () => {
    await publish(0, [deal(a, '100000'), deal(b, '200000', '39049')]);
    await publish(1, [deal(a, '100000'), deal(b, '200000')]);
    assert.deepEqual([...(await reader.readCounty('39035', 1))], [a]);
    assert.deepEqual([...(await reader.readCounty('39049', 1))], [b]);
    assert.deepEqual([...(await reader.readCounty('39035', 2))].sort(), [a, b]);
    assert.deepEqual([...(await reader.readCounty('39049', 2))], []);
  });

  it('restore times as times', async () => {
    const observedAt = new Date('2026-11-20T09:00:00.000Z');
    const match = { confidence: '0.98', sourceUrl: 'https://county.example/1', observedAt };
    const matched = composeDeal(
      buildScoreInputs(
        { id: a, prices: [{ observedAt, price: '100000' }] },
        { distress: { taxDelinquency: known({ ...match, amount: '800.00' }), sheriffSale: absent('not_collected') } },
      ),
    );
    await publish(0, [matched]);
    assert.deepEqual(await reader.readReportInputs(a, 1), makeReportInputs(matched));
  });
});

async function* inChunks<Each>(all: readonly Each[]): AsyncGenerator<readonly Each[]> {
  for (const each of all) yield [each];
}
