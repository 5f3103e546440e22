import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import { parseInstant } from '../../../src/sources/formats/local-date.js';

describe('parseInstant', () => {
  for (const [text, instant] of [
    ['2026-11-20T15:23:10.123Z', '2026-11-20T15:23:10.123Z'],
    ['2026-11-20T22:00:00-06:00', '2026-11-21T04:00:00.000Z'],
    ['2026-11-20 22:00:00-0600', '2026-11-21T04:00:00.000Z'],
    ['2026-11-20T22:00-06:00', '2026-11-21T04:00:00.000Z'],
    ['2026-11-20T00:00:00-06:00', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20T15:23:10.1239999Z', '2026-11-20T15:23:10.123Z'],
    ['2026-11-20T00:00:00Z', '2026-11-20T00:00:00.000Z'],
  ] as const) {
    it(`parses ${text} as the moment that it names`, () =>
      assert.deepEqual(parseInstant(text), known(new Date(instant))));
  }

  for (const text of ['2026-11-20', '11/20/2026', '2026-11-20T15:23:10.123', '11/20/2026 3:23 PM'])
    it(`parses ${text}, which has no time, as the start of its day in UTC`, () =>
      assert.deepEqual(parseInstant(text), known(new Date('2026-11-20T00:00:00.000Z'))));

  for (const text of [
    '2026-02-30T15:23:10Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T15:23:10+99:00',
    '2301-11-20T00:00:00Z',
    'soon',
  ])
    it(`rejects ${text}`, () => assert.deepEqual(parseInstant(text), absent('parse_failed')));
});
