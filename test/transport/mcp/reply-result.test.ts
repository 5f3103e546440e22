import assert from 'node:assert/strict';
import fc from 'fast-check';
import { loadContract } from '../../../src/contract/load-contract.js';
import { findPart } from '../../../src/transport/mcp/find-part.js';
import { maxResultBytes, replyResult, type View } from '../../../src/transport/mcp/reply-result.js';
import { createSummaries } from '../../../src/transport/mcp/summaries.js';
import type { Content } from './agent.js';

const { document } = loadContract();
const summaries = createSummaries(document);
const receipt = { price: '$0.05', payment_id: `0x${'a'.repeat(64)}`, token: 'A'.repeat(43) };
const reply = { status: 200, headers: { 'X-Total-Count': '7' }, body: '' };
const whole: View = { part: '', from: 0, rows: undefined, isWhole: false, page: undefined };

function show(value: unknown, view: Partial<View> = {}): Content | undefined {
  const result = replyResult(value, { ...whole, ...view }, reply, summaries, receipt);
  if (result === undefined) return undefined;
  assert.ok(Buffer.byteLength(JSON.stringify(result)) <= maxResultBytes, String(JSON.stringify(result).length));
  assert.equal(result.structuredContent, undefined);
  const [text] = result.content;
  return JSON.parse(text?.type === 'text' ? text.text : '') as Content;
}

/** A value with its members and rows, read part by part as the results say. */
function readAll(value: unknown, part: string): unknown {
  const shown = show(value, { part });
  assert.ok(shown, part);
  const { data, left_out: leftOut = [], next_page: next } = shown;
  if (Array.isArray(data)) {
    const rows = [...(data as unknown[])];
    for (let more = next; more !== undefined;) {
      const page = show(value, more);
      rows.push(...(page?.data as unknown[]));
      more = page?.next_page;
    }
    return rows;
  }
  const read = structuredClone(data);
  for (const each of leftOut) {
    const name = each
      .slice(part.length + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    (read as Record<string, unknown>)[name] = readAll(value, each);
  }
  return read;
}

const { Signal, Deal } = document.components['schemas'] as Record<
  string,
  { properties: object; 'x-summary': string[] }
>;
const recordOf = (schema: typeof Signal, value: unknown = 'text') =>
  Object.fromEntries(Object.keys(schema?.properties ?? {}).map((name) => [name, value]));

describe('the result of a reply', () => {
  it('fits, and every part of the reply can be read', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 4_000 });
    const value = fc.oneof(
      fc.dictionary(
        fc.string({ maxLength: 6 }),
        fc.oneof(text, fc.array(text, { maxLength: 30 }), fc.dictionary(text, text, { maxKeys: 9 })),
        { maxKeys: 9 },
      ),
      fc.array(fc.oneof(text, fc.dictionary(fc.string({ maxLength: 6 }), text)), { maxLength: 30 }),
    );
    fc.assert(
      fc.property(
        value.map((each) => JSON.parse(JSON.stringify({ each })) as { each: unknown }),
        (each) => {
          assert.deepEqual(readAll(each, '/each'), each.each);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("shows records as a table of the contract's columns, with the reasons of empty cells", () => {
    const absent = { address: { reason: 'not_stated_by_source' }, years_owed: { reason: 'not_published' } };
    const records = [
      { ...recordOf(Signal), absent: {} },
      { ...recordOf(Signal, null), absent },
    ];
    const shown = show(records);
    assert.deepEqual(shown?.columns, Signal?.['x-summary']);
    assert.deepEqual(
      shown?.rows?.map((row) => row[0]),
      ['text', null],
    );
    assert.deepEqual([shown?.absent, shown?.total], [{ 1: { address: 'not_stated_by_source' } }, 7]);
  });

  it('shows the same of a list in an envelope, without what only HTTP has a use for', () => {
    const records = Array.from({ length: 60 }, () => ({ ...recordOf(Signal), absent: {} }));
    const shown = show(
      { signals: records, total: 60, next: '/api/pages/x', schema_notes: { a: 'b' }, head: 'd1-2' },
      { rows: 25 },
    );
    assert.deepEqual(Object.keys(shown ?? {}), ['total', 'head', 'columns', 'rows', 'next_page', 'receipt']);
    assert.deepEqual([shown?.rows?.length, shown?.next_page], [25, { from: 25 }]);
    const last = show({ signals: records, total: 60 }, { rows: 25, from: 50, page: 'token' });
    assert.deepEqual([last?.rows?.length, last?.next_page], [10, undefined]);
    assert.equal(show({ signals: records }, { from: 60 }), undefined);
  });

  it('shows fewer rows where they are long, and says where they go on', () => {
    const records = Array.from({ length: 50 }, () => ({ ...recordOf(Deal, 'x'.repeat(60)), absent: {} }));
    const shown = show(records, { rows: 50 });
    const count = shown?.rows?.length ?? 0;
    assert.ok(count > 5 && count < 50, String(count));
    assert.deepEqual(shown?.next_page, { from: count });
  });

  it('has no part that is not in the reply', () => {
    for (const part of ['/b', 'a', '/a/0', '/__proto__', '/a/'])
      assert.equal(show({ a: 'text' }, { part }), undefined, part);
    assert.equal(show({ a: 'text' }, { part: '/a', from: 1 }), undefined);
    assert.deepEqual(findPart({ 'a/b~': [1, 2] }, '/a~1b~0/1'), 2);
  });
});
