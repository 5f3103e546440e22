import assert from 'node:assert/strict';
import { joinPages } from '../../src/client/records.js';
import { renderBodyAsCsv, renderBodyAsTable } from '../../src/client/render-body.js';

describe('the body of a reply', () => {
  it('is a table of its records, whether they come bare or in an envelope', () => {
    const rows = [{ id: 'a' }, { id: 'b' }];
    assert.equal(renderBodyAsTable({ count: 2, ids: rows }, 80), renderBodyAsTable(rows, 80));
    assert.equal(renderBodyAsCsv({ count: 2, ids: rows }), renderBodyAsCsv(rows));
  });

  it('is its fields when it is one thing, also one with several lists', () => {
    const report = { offer: { low: '1' }, signals: [{}], auctions: [{}] };
    assert.deepEqual(renderBodyAsTable(report, 80).split('\n').slice(2, -1), [
      'offer     {"low":"1"}',
      'signals   [{}]',
      'auctions  [{}]',
    ]);
    assert.equal(renderBodyAsCsv(report), 'offer,signals,auctions\r\n"{""low"":""1""}",[{}],[{}]\r\n');
  });

  it('is printed as it is when it is a text, and is then no CSV', () => {
    assert.equal(renderBodyAsTable('# Title\n\ntext\n', 80), '# Title\n\ntext\n');
    assert.equal(renderBodyAsCsv('# Title'), undefined);
  });

  it('says that there are no records instead of an empty table', () => {
    assert.equal(renderBodyAsTable([], 80), 'No records.\n');
  });
});

describe('the pages of a result set', () => {
  it('are joined into one list, in the envelope of the first where there is one', () => {
    assert.deepEqual(joinPages([[{ a: 1 }], [{ a: 2 }], []]), [{ a: 1 }, { a: 2 }]);
    assert.deepEqual(
      joinPages([
        { signals: [{ a: 1 }], total: 2 },
        { signals: [{ a: 2 }], total: 2 },
      ]),
      { signals: [{ a: 1 }, { a: 2 }], total: 2 },
    );
  });
});
