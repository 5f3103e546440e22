import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { plainText } from '../../../src/client/plain-text.js';
import { renderCsv } from '../../../src/client/wire/render-csv.js';
import { assertHarmless, hostileCells } from '../hostile-cells.js';

/** The text of a cell, of the characters that `fc.string` makes. */
function guarded(text: string): string {
  const plain = plainText(text);
  return /^\s*[=+\-@]/.test(plain) && !/^[+-]?\d+(\.\d+)?$/.test(plain.trim()) ? `'${plain}` : plain;
}

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

  it('quotes commas and quotes, and nothing else', () => {
    assert.equal(
      renderCsv([{ t: 'a,b' }, { t: 'a "b"' }, { t: " a'b " }]).split('t\r\n')[1],
      '"a,b"\r\n"a ""b"""\r\n a\'b \r\n',
    );
  });

  it('makes two hundred hostile cells, and the names of their fields, into harmless text', () => {
    assert.equal(new Set(hostileCells).size, 200);
    const rows: string[][] = parse(renderCsv([Object.fromEntries(hostileCells.map((cell) => [cell, cell]))]));
    assert.equal(rows.length, 2);
    for (const cells of rows) {
      assert.equal(cells.length, 200);
      for (const cell of cells) assertHarmless(cell);
    }
  });

  it('leaves decimal numbers, numbers and signs within a text as they are', () => {
    const kept = ['-12.50', '+3', ' -4 ', 'a - b', '12-34', '(=)'];
    assert.deepEqual(
      parse(renderCsv(kept.map((t) => ({ t })))).slice(1),
      kept.map((t) => [t]),
    );
    assert.equal(renderCsv([{ n: -1e-7 }]), 'n\r\n-1e-7\r\n');
    assert.equal(renderCsv([{ t: '-1-1' }]), "t\r\n'-1-1\r\n");
  });

  it('keeps every digit of a decimal string', () => {
    assert.equal(renderCsv([{ list_price: '119500.00' }]), 'list_price\r\n119500.00\r\n');
  });

  it('is parsed back unchanged by an independent reader, except for what is guarded', () => {
    const rows = fc.array(fc.record({ first: fc.string({ unit: 'grapheme' }), second: fc.string() }), { minLength: 1 });
    fc.assert(
      fc.property(rows, (written) => {
        const [, ...read] = parse(renderCsv(written), { record_delimiter: '\r\n' });
        assert.deepEqual(
          read,
          written.map(({ first, second }) => [first, second].map(guarded)),
        );
      }),
    );
  });
});
