import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import { parseSale } from '../../../src/sources/html/parse-sale.js';

describe('parseSale', () => {
  const county = { countyFips: '39035', state: 'OH', timeZone: 'America/New_York' };
  const page = { history: [], statusText: '', day: '12/14/2026', url: 'https://county.example/' };

  for (const [text, amount] of [
    ['$85,000.00', known('85000')],
    ['$85,000.00*', known('85000')],
    ['$85,000.00 *', known('85000')],
    ['$85,000.00 * **', absent('parse_failed')],
    ['$0.00 *', absent('not_stated_by_source')],
  ] as const) {
    it(`reads the amount ${text}, with or without the star that leads to a footnote`, () => {
      const sale = parseSale({ ...page, labels: { appraisal: [text] } }, 'a', county);
      assert.deepEqual('reject' in sale ? sale : sale.appraisedValue, amount);
    });
  }

  for (const hostile of [`${','.repeat(5_000)}x`, `${'*'.repeat(500_000)}x`, `${'x '.repeat(500_000)}x`]) {
    it(`refuses values of ${hostile.length} characters such as "${hostile.slice(0, 3)}" without weighing them`, () => {
      const labels = { address: ['1 EXAMPLE ST', hostile], appraisal: [hostile], 'case number': [hostile] };
      const sale = parseSale({ ...page, labels }, 'a', county);
      assert.ok(!('reject' in sale));
      const failed = absent('parse_failed');
      assert.deepEqual(
        [sale.address, sale.city, sale.zip, sale.appraisedValue, sale.caseNumber],
        [failed, failed, failed, failed, failed],
      );
    });
  }
});
