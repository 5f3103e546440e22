import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import { parseLocalDate } from '../../../src/sources/formats/local-date.js';

describe('parseLocalDate', () => {
  for (const text of [
    '12/14/2026',
    '2026-12-14',
    '20261214',
    'December 14, 2026',
    '12/14/2026 10:00 AM ET',
    '2026-12-14T10:00:00.000',
    '2026-12-14 10:00:00',
    '2026-12-14 00:00:00',
    '2026-12-14T00:00Z',
    '2026-12-14T00:00:00.000Z',
    '2026-12-14T00:00:00+00:00',
    '2026-12-14 00:00:00-05:00',
  ]) {
    it(`accepts ${text} unchanged`, () => assert.deepEqual(parseLocalDate(text), known('2026-12-14')));
  }
  for (const text of ['2026-12-14T03:00:00Z', '2026-12-14T10:00:00+00:00', '2026-02-30 00:00:00', '2026-12-14 noon']) {
    it(`rejects ${text}, which is no day, or a moment that falls on another day elsewhere`, () =>
      assert.deepEqual(parseLocalDate(text), absent('parse_failed')));
  }
});
