import assert from 'node:assert/strict';
import { valueOf } from '../../../../src/absence.js';
import type { Database } from '../../../../src/db/database.js';
import { createAuctionReader } from '../../../../src/counties/auctions/auction-reader.js';
import { createHtmlTableSource } from '../../../../src/sources/formats/html-table.js';
import { ingestSource } from '../../../../src/sources/ingest/ingest-source.js';
import { openSuppression } from '../../../policy/suppression.js';
import { openTestDatabase } from '../../../support/database.js';
import { accessTo } from '../../access.js';
import { clock, ingestOptions, setDay } from '../../ingest/scripted-source.js';
import { startCivilView, type Sale } from './mock-civilview.js';

const county = { countyFips: '39035', state: 'OH' };
const first = { id: 1, sheriff: 'F-9', address: '100 Example Avenue<br />Cleveland OH 44105' };
const second = { id: 2, sheriff: 'F-9', address: '102 Example Avenue<br />Cleveland OH 44105' };

describe("properties sold under one sheriff's number", () => {
  let database: Database;
  let site: Awaited<ReturnType<typeof startCivilView>>;
  beforeEach(async () => {
    database = await openTestDatabase();
    site = await startCivilView([]);
    setDay(0);
  });
  afterEach(async () => {
    await site.close();
    await database.close();
  });

  async function ingest(sales: Sale[]): Promise<void> {
    site.state.sales = sales;
    const access = { ...accessTo(site.url), now: () => clock.now };
    const source = createHtmlTableSource({ ...access, ...county, site: 'civilview', countyId: '2' });
    const report = await ingestSource(source, { ...ingestOptions(database.knex), acceptShrink: true });
    assert.deepEqual([report.status, report.rejected], ['completed', 0]);
  }

  const openReader = () =>
    createAuctionReader({
      knex: database.knex,
      suppression: openSuppression(database.knex),
      now: () => clock.now,
    });

  async function readOffered(): Promise<(readonly [string | undefined, string])[]> {
    const found: (readonly [string | undefined, string])[] = [];
    for await (const chunk of openReader().readOffered()) {
      found.push(...chunk.map(({ address, saleStatus }) => [valueOf(address), saleStatus] as const));
    }
    return found.sort();
  }

  it('are all offered, although they are one court case', async () => {
    await ingest([first, second]);
    assert.deepEqual(await readOffered(), [
      ['100 Example Avenue', 'scheduled'],
      ['102 Example Avenue', 'scheduled'],
    ]);
  });

  it('keep their identity when the first of them leaves the list', async () => {
    await ingest([first, second]);
    const ids = (await database.knex('auctions').select<{ id: string }[]>('id')).map(({ id }) => id);
    setDay(1);
    await ingest([second]);
    assert.deepEqual(await readOffered(), [
      ['100 Example Avenue', 'unknown'],
      ['102 Example Avenue', 'scheduled'],
    ]);
    assert.deepEqual(await openReader().findReplaced(ids), []);
  });
});
