import assert from 'node:assert/strict';
import { renderCsv } from '../../../src/operator/cli/render-rows.js';

describe('renderCsv, for an operator', () => {
  for (const text of ['=1+1', '+1 216', '-cmd', '@sum', '\t=1', '\r=1', '=HYPERLINK("x")'])
    it(`puts an apostrophe before ${JSON.stringify(text)}, so that no spreadsheet runs it`, () =>
      assert.match(renderCsv([[text]]), /^"?'/));

  for (const text of ['-0.05', '+12', '0x12', '2026-11-20', 'plain', ''])
    it(`writes ${JSON.stringify(text)} as it is`, () => assert.equal(renderCsv([[text]]), `${text}\r\n`));
});
