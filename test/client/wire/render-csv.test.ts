import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { renderCsv } from '../../../src/client/wire/render-csv.js';

describe('records as CSV', () => {
  it('writes a header of all fields in order of first appearance, and ends every line with CRLF', () => {
    assert.equal(
      renderCsv([
        { a: 1, b: true },
        { c: 'x', a: 2 },
      ]),
      'a,b,c\r\n1,true,\r\n2,,x\r\n',
    );
  });

  it('leaves null empty and writes nested values as JSON', () => {
    const row = { cap: null, absent: { cap: { reason: 'not_stated_by_source' } }, flags: [] };
    assert.equal(renderCsv([row]), 'cap,absent,flags\r\n,"{""cap"":{""reason"":""not_stated_by_source""}}",[]\r\n');
  });

  it('quotes commas, quotes and line breaks, and nothing else', () => {
    assert.equal(
      renderCsv([{ t: 'a,b' }, { t: 'a "b"' }, { t: 'a\nb\r' }, { t: " a'b " }]).split('t\r\n')[1],
      '"a,b"\r\n"a ""b"""\r\n"a\nb\r"\r\n a\'b \r\n',
    );
  });

  it('keeps every digit of a decimal string', () => {
    assert.equal(renderCsv([{ list_price: '119500.00' }]), 'list_price\r\n119500.00\r\n');
  });

  it('is parsed back unchanged by an independent reader', () => {
    const rows = fc.array(fc.record({ first: fc.string({ unit: 'grapheme' }), second: fc.string() }), { minLength: 1 });
    fc.assert(
      fc.property(rows, (written) => {
        const [, ...read] = parse(renderCsv(written), { record_delimiter: '\r\n' });
        assert.deepEqual(
          read,
          written.map(({ first, second }) => [first, second]),
        );
      }),
    );
  });
});
