import assert from 'node:assert/strict';
import { known } from '../../../../src/absence.js';
import { createHtmlTableSource } from '../../../../src/sources/formats/html-table.js';
import { accessTo } from '../../access.js';
import { readSource } from '../../read-source.js';
import { startCivilView, statusLine } from './mock-civilview.js';

const county = { countyFips: '39035', state: 'OH' };

describe('the history of a sale on CivilView', () => {
  let civilView: Awaited<ReturnType<typeof startCivilView>>;
  before(async () => void (civilView = await startCivilView([])));
  after(() => civilView.close());

  async function readOne(sale: { readonly history: string }) {
    civilView.state.sales = [{ id: 26000101, ...sale }];
    const { url } = civilView;
    const { taken, refused } = await readSource(() =>
      createHtmlTableSource({ ...accessTo(url), ...county, site: 'civilview', countyId: '2' }),
    );
    return taken[0] ?? assert.fail(JSON.stringify(refused));
  }

  it('keeps the key and the history of an adjourned sale, latest first for any order of the page', async () => {
    const adjourned = statusLine('Defendant Adjourned to', '12/14/2026');
    const scheduled = statusLine('Scheduled', '11/16/2026');
    for (const history of [adjourned + scheduled, scheduled + adjourned]) {
      const sale = await readOne({ history });
      assert.deepEqual([sale.sourceKey, sale.saleStatus], ['F-26000101', 'adjourned']);
      assert.deepEqual(sale.statusHistory, [
        { status: 'adjourned', date: known('2026-12-14'), text: 'Defendant Adjourned to' },
        { status: 'scheduled', date: known('2026-11-16'), text: 'Scheduled' },
      ]);
    }
  });

  it('uses, among entries of the latest day, the last one that does more than schedule the sale', async () => {
    const set = statusLine('Scheduled - Foreclosure', '10/1/2026');
    const adjourned = statusLine('Plaintiff Adjourned to', '10/1/2026');
    for (const [text, status] of [
      ['Purchased - 3rd Party', 'sold'],
      ['Cancelled', 'cancelled'],
      ['Withdrawn - Paid', 'withdrawn'],
    ] as const) {
      const end = statusLine(text, '10/1/2026');
      for (const history of [set + end, end + set, set + adjourned + end, end + adjourned + set]) {
        const sale = await readOne({ history });
        assert.deepEqual([sale.saleStatus, sale.statusHistory[0]?.status], [status, status], history);
        assert.equal(sale.statusHistory.at(-1)?.status, 'scheduled');
      }
    }
  });

  it('reports an unknown status when neither day nor word determines the latest', async () => {
    const adjourned = statusLine('Plaintiff Adjourned to', '10/1/2026');
    const sold = statusLine('Purchased - 3rd Party', '10/1/2026');
    const cases = [
      [adjourned + sold, 'unknown'],
      [adjourned + adjourned, 'adjourned'],
      [sold, 'sold'],
      ['', 'unknown'],
    ] as const;
    for (const [history, status] of cases) {
      assert.equal((await readOne({ history })).saleStatus, status, history);
    }
  });
});
