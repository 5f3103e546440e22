import assert from 'node:assert/strict';
import type { Auction, Lead } from '../../../generated/types.gen.js';
import { concatBytes, type Rendered } from '../../../src/contract/rendered.js';
import { createSales, type DemoSaleStatus } from '../../../src/demo/counties/create-sales.js';
import { dayNumberOf, dayOfNumber } from '../../../src/demo/counties/day-number.js';
import { demoCounties } from '../../../src/demo/counties/demo-counties.js';
import { localDateOf } from '../../../src/places/metros/local-date-of.js';
import type { Source } from '../../../src/sources/source.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { readSource } from '../../support/read-source.js';
import { createTestUpstream } from '../upstream/mock-server.js';
import { type RunningServices, serveServices } from './serve-services.js';

const firstDay = '2026-12-22';
const lastDay = dayOfNumber(dayNumberOf(firstDay) + 9);

/** Read each night at 04:30 UTC, half an hour before midnight in Ohio's winter. */
const at = (day: string) => new Date(`${day}T04:30:00.000Z`);

describe('a sale on RealAuction, as its county is read night after night', () => {
  let app: TestApp;
  let services: RunningServices;
  let source: Source<'auctions'>;
  let clock = at(firstDay);
  before(async () => {
    app = await startTestApp({ withData: false, now: () => clock });
    services = await serveServices(app.now);
    const upstream = createTestUpstream(undefined, { now: app.now, sleep: async () => undefined });
    const found = (await services.load(upstream)).find(({ name }) => name === 'cuyahoga-sales');
    source = found?.delivers === 'auctions' ? found : assert.fail('the sales of the county');
  });
  after(async () => {
    await app.stop();
    await services.close();
  });

  const cuyahoga = demoCounties.find(({ name }) => name === 'Cuyahoga') ?? assert.fail();
  const read = async <T>(feed: 'auctions' | 'leads', filter: object) => {
    const { body } = await app.feeds[feed].page('full', { filter, limit: 10_000 });
    return JSON.parse(Buffer.from(concatBytes(body as Rendered<unknown>)).toString('utf8')) as readonly T[];
  };
  const publish = async () => {
    await app.pipeline.publish('all');
    const county = 'cuyahoga';
    const sales = await read<Auction>('auctions', { county });
    const toCome = await read<Auction>('auctions', {
      county,
      todays: { 'America/New_York': localDateOf(cuyahoga.countyFips, clock) },
    });
    const leads = await read<Lead>('leads', {});
    return {
      sales: new Map(sales.map((sale) => [sale.case_number, sale])),
      toCome: new Set(toCome.map(({ id }) => id)),
      leads: new Set(leads.map(({ id }) => id)),
    };
  };
  const readNight = async (day: string) => {
    clock = at(day);
    await readSource(app, source);
    const run = await app.database.knex('source_runs').orderBy('id', 'desc').first('status', 'rows_rejected');
    assert.deepEqual(run, { status: 'completed', rows_rejected: 0 }, day);
  };

  it('is followed until it is sold or canceled; then it is no upcoming sale and no lead, and each is read once', async () => {
    await readNight(firstDay);
    const first = await publish();
    for (let day = dayNumberOf(firstDay) + 1; day <= dayNumberOf(lastDay); day += 1) await readNight(dayOfNumber(day));
    const last = await publish();
    const fates = new Map(
      createSales(cuyahoga, localDateOf(cuyahoga.countyFips, clock)).map((sale) => [sale.caseNumber, sale.status]),
    );
    const over = [...first.sales.values()].filter(
      (sale) => first.toCome.has(sale.id) && !isStillOn(fates.get(sale.case_number ?? '')),
    );
    for (const { id, case_number: number } of over) {
      const sale = last.sales.get(number);
      assert.deepEqual([sale?.id, sale?.sale_status], [id, fates.get(number ?? '')], `${number}`);
      assert.ok(!last.toCome.has(id) && !last.leads.has(id));
    }
    for (const fate of ['sold', 'cancelled', 'no_bid'])
      assert.ok(
        over.some((sale) => first.leads.has(sale.id) && fates.get(sale.case_number ?? '') === fate),
        fate,
      );
  });
});

function isStillOn(fate: DemoSaleStatus | undefined): boolean {
  return fate === undefined || fate === 'scheduled' || fate === 'adjourned';
}
