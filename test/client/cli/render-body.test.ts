import assert from 'node:assert/strict';
import { joinPages } from '../../../src/client/wire/records.js';
import { renderBody } from '../../../src/client/cli/render-body.js';
import { hostileCells } from '../hostile-cells.js';

describe('the body of a reply', () => {
  it('is a table of its records, bare or in an envelope', () => {
    const rows = [{ id: 'a' }, { id: 'b' }];
    assert.equal(renderBody({ count: 2, ids: rows }, 'table', 80), renderBody(rows, 'table', 80));
    assert.equal(renderBody({ count: 2, ids: rows }, 'csv', 80), renderBody(rows, 'csv', 80));
  });

  it('is JSON to read when it is another object, and one row as CSV', () => {
    const report = { offer: { low: '1' }, signals: [{}], auctions: [{}], name: 'a\u202eb' };
    const lines = renderBody(report, 'table', 80);
    assert.deepEqual(JSON.parse(lines), { ...report, name: 'a b' });
    assert.ok(lines.split('\n').length > 5);
    assert.equal(
      renderBody({ offer: { low: '1' }, signals: [{}], auctions: [{}] }, 'csv', 80),
      'offer,signals,auctions\r\n"{""low"":""1""}",[{}],[{}]\r\n',
    );
  });

  it('is one JSON line per record as NDJSON, and one line for a single object', () => {
    assert.equal(renderBody({ count: 2, ids: [{ id: 'a' }, { id: 'b' }] }, 'ndjson', 80), '{"id":"a"}\n{"id":"b"}\n');
    assert.equal(renderBody({ offer: { low: '1' } }, 'ndjson', 80), '{"offer":{"low":"1"}}\n');
    assert.equal(renderBody([], 'ndjson', 80), '');
  });

  it('is printed unchanged when it is text, in every format', () => {
    assert.equal(renderBody('# Title\n\ntext\n', 'table', 80), '# Title\n\ntext\n');
    for (const format of ['json', 'ndjson', 'csv'] as const) assert.equal(renderBody('# Title', format, 80), '# Title');
  });

  it('is exact as JSON and NDJSON, and without control and invisible characters in a table, for hostile cells', () => {
    const rows = hostileCells.map((text) => ({ text }));
    assert.deepEqual(JSON.parse(renderBody(rows, 'json', 80)), rows);
    const lines = renderBody(rows, 'ndjson', 80).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      rows,
    );
    for (const table of [renderBody(rows, 'table', 80), renderBody({ first: rows, second: [] }, 'table', 80)])
      assert.doesNotMatch(table.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164]/u);
  });

  it('says that there are no records instead of an empty table', () => {
    assert.equal(renderBody([], 'table', 80), 'No records.\n');
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
