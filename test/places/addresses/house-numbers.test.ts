import assert from 'node:assert/strict';
import { normalizeAddress } from '../../../src/places/addresses/normalize.js';
import { renderAddress } from '../../../src/places/addresses/render-address.js';
import { parsed } from './parsed.js';

describe('a house number', () => {
  const lines: readonly (readonly [title: string, line: string, expected: string])[] = [
    ['neighbors as a range', '12 & 14 and 16 Main St, Akron, OH', '12-16 MAIN ST'],
    ['neighbors in any order', '100 & 98 Main St, Akron, OH', '98-100 MAIN ST'],
    ['two numbers that are no neighbors as two', '100 and 110 Main St, Akron, OH', '100 & 110 MAIN ST'],
    ['two sides of the street as two numbers', '310 & 311 Main St, Akron, OH', '310 & 311 MAIN ST'],
    ['an abbreviated number of a list', '3456 & 60 Main St, Akron, OH', '3456 & 3460 MAIN ST'],
    ['a list with a fraction', '100 & 110 1/2 Main St, Akron, OH', '100 & 110 1/2 MAIN ST'],
    ['all between two numbers', '100 thru 110 Main St, Akron, OH', '100-110 MAIN ST'],
    ['the widest range', '100-300 Main St, Akron, OH', '100-300 MAIN ST'],
    ['a wider one than any building as it stands', '100-302 Main St, Akron, OH', '100-302 MAIN ST'],
    ['a letter behind a hyphen as part of the number', '123-E Oak St, Akron, OH', '123-E OAK ST'],
  ];
  for (const [title, line, expected] of lines) {
    it(`parses ${title}: ${line}`, () => {
      assert.equal(renderAddress(parsed(line)).split(',')[0], expected);
    });
  }

  it('distinguishes a range from a single number', () => {
    const { number } = parsed('100-300 Main St, Akron, OH');
    assert.deepEqual(number, { low: 100, high: 300, fraction: '', grid: '' });
    assert.equal(parsed('100-302 Main St, Akron, OH').number.grid, '100-302');
    const listed = parsed('100 & 110 Main St, Akron, OH').number;
    assert.deepEqual(listed, { low: 100, high: 110, fraction: '', grid: '100 & 110' });
  });

  it('parses a hyphenated number of Queens as one house, by ZIP or else by city', () => {
    for (const [line, grid] of [
      ['37-15 73rd St, Jackson Heights, NY 11372', '37-15'],
      ['37-39 73rd St, Jackson Heights, NY 11372', '37-39'],
      ['37-39 73rd St, New York, NY 11372', '37-39'],
      ['37-39 73rd St, NY 11372', '37-39'],
      ['100-04 39th Ave, Corona, NY', '100-04'],
      ['37-39 Main St, Buffalo, NY', ''],
      ['37-39 Main St, Corona, NY 14201', ''],
      ['37-39 Main St, Corona, CA', ''],
    ] as const) {
      const address = parsed(line);
      assert.equal(address.number.grid, grid, line);
      assert.deepEqual(normalizeAddress(renderAddress(address)), address);
    }
  });
});
