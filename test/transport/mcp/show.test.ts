import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findPart, show, sizeOf, type Frame } from '../../../src/transport/mcp/show.js';
import { createSummaries } from '../../../src/transport/mcp/summaries.js';
import { loadContract } from '../../../src/contract/load-contract.js';

const nothing = (): undefined => undefined;
const frame = (room: number, from = 0, part = ''): Frame => ({ part, from, room, summarize: nothing });

/** Every leaf of a value, by its JSON pointer. */
function leavesOf(value: unknown, part = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [[part, value]];
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member, `${part}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

/** All displayed parts of a value when every part named as missing is followed. */
function readAll(value: unknown, room: number): Map<string, unknown> {
  const seen = new Map<string, unknown>();
  const open: { part: string; from: number }[] = [{ part: '', from: 0 }];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const { part, from } = each;
    const shown = show(findPart(value, part), frame(room, from, part));
    // Rows keep their index of the whole list.
    const placed = Array.isArray(shown.data)
      ? Object.fromEntries(shown.data.map((row, index) => [String(from + index), row as unknown]))
      : shown.data;
    for (const [leaf, found] of leavesOf(placed, part)) seen.set(leaf, found);
    for (const { part: next, from: start = 0 } of shown.missing) open.push({ part: next, from: start });
  }
  return seen;
}

describe('the displayed part of a reply', () => {
  const values = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

  it('stays within its room, unless a single text exceeds it', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 40, max: 2_000 }), (value, room) => {
        const { data } = show(value, frame(room));
        if (typeof data === 'object' && data !== null) assert.ok(sizeOf(data) <= room, `${sizeOf(data)} > ${room}`);
      }),
    );
  });

  it('names the missing parts, so that all of them can be read', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 60, max: 2_000 }), (value, room) => {
        const seen = readAll(value, room);
        for (const [leaf, found] of leavesOf(value))
          if (typeof found !== 'object' || found === null) assert.deepEqual(seen.get(leaf), found, leaf);
      }),
    );
  });

  it('is the whole value when it fits', () => {
    fc.assert(
      fc.property(values, (value) => {
        assert.deepEqual(show(value, frame(1_000_000)), { data: value, isShortened: false, missing: [] });
      }),
    );
  });

  it("reduces records to the contract's columns before any is omitted", () => {
    const { document } = loadContract();
    const { Signal } = document.components['schemas'] as { Signal: { properties: object; 'x-summary': string[] } };
    const record = Object.fromEntries(Object.keys(Signal.properties).map((name) => [name, `the ${name}`]));
    const records = Array.from({ length: 40 }, () => record);
    const shown = show(records, { ...frame(9_000), summarize: createSummaries(document) });
    const [first] = shown.data as object[];
    assert.deepEqual(Object.keys(first ?? {}), [...Signal['x-summary'], 'absent']);
    assert.ok(shown.isShortened && (shown.data as unknown[]).length > 10);
  });

  it("keeps the absence reasons of a reduced record's columns", () => {
    const { document } = loadContract();
    const { Signal } = document.components['schemas'] as { Signal: { properties: object } };
    const record = Object.fromEntries(Object.keys(Signal.properties).map((name) => [name, null]));
    const absent = { address: { reason: 'not_stated_by_source' }, years_owed: { reason: 'not_published' } };
    const shortened = createSummaries(document)({ ...record, absent });
    assert.deepEqual(shortened?.['absent'], { address: { reason: 'not_stated_by_source' } });
  });
});
