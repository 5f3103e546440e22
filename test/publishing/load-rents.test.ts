import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deal, DealList, Report } from '../../generated/types.gen.js';
import { OperatorError } from '../../src/errors.js';
import { readRentTable } from '../../src/underwriting/rents/rent-table.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropListings } from '../support/drop-listings.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';

/** A deal in ZIP 44105, for which the project carries 1070 of FY2027. */
describe('loading the rents of a year', () => {
  let app: TestApp;
  let directory: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'rents-'));
    app = await startTestApp({ withData: false, settler: createInstantSettler(), now: () => new Date() });
    dropListings(app.config.dropDirectory, 'B-1,100 Example Ave,Cleveland,OH,44105,300000,4,10.5');
    await app.pipeline.ingest(undefined, { delivers: ['listings'] });
    await app.pipeline.publish('all');
  });
  afterEach(async () => {
    await app.stop();
    rmSync(directory, { recursive: true });
  });

  /** Writes a file of rents by ZIP, saved on a day. */
  function write(name: string, lines: readonly string[], savedOn = '2027-04-01'): string {
    const path = join(directory, name);
    writeFileSync(path, ['ZIP Code,SAFMR 0BR,SAFMR 1BR,SAFMR 2BR,SAFMR 3BR,SAFMR 4BR', ...lines, ''].join('\n'));
    utimesSync(path, new Date(savedOn), new Date(savedOn));
    return path;
  }

  const load = (files: readonly string[], how: { dryRun?: boolean; partial?: boolean; pack?: string } = {}) =>
    app.pipeline.loadRents({ files, dryRun: false, partial: true, ...how });

  async function readDeal() {
    const [deal] = (await (await buy(`${app.url}/api/deals`)).json()) as DealList;
    return deal ?? assert.fail();
  }

  const statusOf = ({ rental_status: rental, wholesale_status: wholesale, creative_status: creative }: Deal) =>
    `${rental} ${wholesale} ${creative}`;

  it('publishes every deal that stands on them at once, and its report tells when HUD published them', async () => {
    const before = await readDeal();
    assert.equal(before.market_rent_2br, '1070.00');
    const file = write('fy2027_safmrs_revised.csv', ['44105,600,700,860,1600,1700']);
    const { tables, largestChanges, dealsThatChangeStatus, isStored } = await load([file]);
    assert.equal(tables, 'safmr FY2027 of 2027-04-01: 1 rows, a part, median two-bedroom rent 860, 1170 in FY2025');
    assert.match(largestChanges, /^44105 1000 to 860 \(-14%\)$/);
    const deal = await readDeal();
    assert.deepEqual([dealsThatChangeStatus, isStored], [Number(statusOf(deal) !== statusOf(before)), true]);
    assert.equal(deal.market_rent_2br, '860.00');
    const report = (await (await buy(`${app.url}/api/deals/${deal.id}/report`)).json()) as Report;
    assert.equal(report.underwriting.hud_published, '2027-04-01');
  });

  it('changes nothing when the same file is loaded again, and nothing for an older one of the year', async () => {
    const file = write('fy2027_safmrs_revised.csv', ['44105,800,900,1200,1600,1700']);
    assert.equal((await load([file])).isStored, true);
    assert.equal((await load([file])).isStored, false);
    assert.equal(await countTables(), 1);
    await load([write('fy2027_safmrs.csv', ['44105,800,900,1150,1600,1700'], '2026-09-01')]);
    assert.equal((await readDeal()).market_rent_2br, '1200.00');
  });

  it('loads of several files none when one is refused, by name and row', async () => {
    const good = write('fy2027_safmrs.csv', ['44105,800,900,1200,1600,1700']);
    const bad = write('fy2028_safmrs.csv', ['44105,800,900,1200,1600,1700', '44107,800,900,850,1600,1700']);
    await assert.rejects(load([good, bad]), (error) => {
      assert.ok(error instanceof OperatorError);
      assert.match(error.message, /^Nothing is loaded\. fy2028_safmrs\.csv, row 3: the rents 800 900 850/);
      return true;
    });
    await assert.rejects(load([good], { partial: false }), /1 of 38642 ZIPs; with --partial/);
    await assert.rejects(load([write('rents.csv', ['44105,800,900,1200,1600,1700'])]), /does not say its fiscal year/);
    await assert.rejects(load([join(directory, 'none.csv')]), /There is no file/);
    assert.equal(await countTables(), 0);
    assert.equal((await readDeal()).market_rent_2br, '1070.00');
  });

  it('only tells what would change in a dry run, and writes the tables as the project carries them', async () => {
    const files = [
      write('fy2027_one.csv', ['44105,600,700,860,1600,1700']),
      write('fy2027_other.csv', ['44107,800,900,1150,1600,1700']),
    ];
    const pack = join(directory, 'tables');
    const before = await readDeal();
    assert.equal((await load(files, { dryRun: true, pack })).isStored, false);
    assert.deepEqual(await readDeal(), before);
    assert.equal(await countTables(), 0);
    const { header, find } = readRentTable(readFileSync(join(pack, 'safmr-2027.txt')));
    assert.deepEqual([header.rows, header.complete, header.file], [2, false, 'fy2027_one.csv, fy2027_other.csv']);
    assert.deepEqual([header.published, header.effective], ['2027-04-01', '2027-05-03']);
    assert.equal(find('44107')[0]?.rents[2], 1150);
  });

  it('is not needed for a territory, which has rents like a state', async () => {
    const rows = ['P-1,100 Calle Sol,San Juan,Puerto Rico,901', 'V-1,12 Kongens Gade,St Thomas,VI,00802'];
    dropListings(app.config.dropDirectory, rows.map((row) => `${row},300000,4,10.5`).join('\n'));
    await app.pipeline.ingest(undefined, { delivers: ['listings'] });
    await app.pipeline.publish('changed');
    const deals = (await (await buy(`${app.url}/api/deals?state=PR,VI`)).json()) as DealList;
    assert.deepEqual(
      deals.map(({ state, zip, underwriting_inputs: inputs }) => [state, zip, inputs?.rent_basis]).sort(),
      [
        ['PR', '00901', 'safmr_zip'],
        ['VI', '00802', 'fmr_county'],
      ],
    );
  });

  async function countTables(): Promise<number> {
    return (await app.database.knex('rent_tables').select('sha256')).length;
  }
});
