import assert from 'node:assert/strict';
import { known, type Maybe } from '../../../src/absence.js';
import type { ObservedListing } from '../../../src/listings/listing.js';
import { mappableFields } from '../../../src/sources/formats/listing-fields.js';
import type { RowReject } from '../../../src/sources/source.js';
import { codeOf } from '../../../src/sources/values/not-understood.js';
import { createDropRoot, loadOnly, plainManifest, readAll, writeFeed } from '../formats/drop-feed.js';
import { sheet, type SheetRow } from './two-hundred-rows.js';

const fields = mappableFields.filter((field) => field !== 'addressDisplay');
const manifest = {
  ...plainManifest,
  mapping: Object.fromEntries(fields.map((field) => [field, field])),
};
const base = { city: 'Cleveland', state: 'OH', address: '1 Main St', listPrice: '250000', units: '4' };

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const line = ({ field, text, beside }: SheetRow, index: number): string => {
  const row: Readonly<Record<string, string>> = { ...base, ...beside, [field]: text, sourceKey: `r${index}` };
  return fields.map((name) => quoted(row[name] ?? '')).join(',');
};

interface Outcome {
  readonly row: ObservedListing | RowReject;
  /** By field. */
  readonly codes: ReadonlyMap<string, string>;
}

describe('a sheet of two hundred rows', () => {
  let outcomes: readonly Outcome[];
  before(async () => {
    const { root, remove } = await createDropRoot();
    try {
      const csv = [fields.join(','), ...sheet.map(line)].join('\n');
      await writeFeed(root, 'feed', manifest, { 'deals.csv': csv });
      const source = await loadOnly(root);
      const { rows } = await readAll(source);
      outcomes = rows.map((raw) => {
        if ('reject' in raw) return { row: raw, codes: new Map() };
        const codes = new Map<string, string>();
        const row = source.parse(raw, (field, value) => {
          const code = codeOf(value);
          if (code !== undefined) codes.set(field, code);
        });
        return { row, codes };
      });
    } finally {
      await remove();
    }
  });

  it('has two hundred rows, and loses none', () => {
    assert.ok(sheet.length >= 200, String(sheet.length));
    assert.equal(outcomes.length, sheet.length);
  });

  for (const [index, { field, text, expected, beside }] of sheet.entries()) {
    const what = typeof expected === 'string' ? expected : JSON.stringify(expected);
    it(`reads ${field} ${JSON.stringify(text)}${beside?.state ? ` in ${beside.state}` : ''}: ${what}`, () => {
      const { row, codes } = outcomes[index] ?? assert.fail();
      if (typeof expected !== 'string' && 'refused' in expected)
        return assert.equal('reject' in row ? row.reject : 'taken', expected.refused);
      if ('reject' in row) assert.fail(`${row.reject}: ${row.detail}`);
      const value = row[field as keyof ObservedListing];
      if (typeof expected !== 'string' && 'code' in expected) {
        assert.equal(codes.get(field), expected.code);
        if (field !== 'terms') assert.deepEqual(value, { absent: 'parse_failed' });
        return;
      }
      assert.equal(codes.size, 0, JSON.stringify([...codes]));
      if (expected === 'not stated') return assert.deepEqual(value, { absent: 'not_stated_by_source' });
      const plain = ['state', 'terms', 'saleCondition'].includes(field);
      assert.deepEqual(plain ? value : (value as Maybe<unknown>), plain ? expected.is : known(expected.is));
    });
  }

  it('notes a pro forma cap rate, and no other', () => {
    const noted = sheet.flatMap(({ text }, index) => {
      const row = outcomes[index]?.row;
      return row !== undefined && 'isCapRateProForma' in row ? [text] : [];
    });
    assert.deepEqual(noted, ['9.4% pro forma', '9.4% (Pro Forma)', 'Pro-forma 9.4']);
  });
});
