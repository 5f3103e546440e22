import assert from 'node:assert/strict';
import { pino } from 'pino';
import { carriedRates } from '../../src/underwriting/mortgage-rates.js';
import { createDataHealth } from '../../src/api/documents/data-health.js';
import type { SourceStanding } from '../../src/sources/standings-reader.js';
import { licence } from '../sources/ingest/scripted-source.js';

const noon = Date.parse('2026-11-22T12:00:00.000Z');

const standing = (name: string, changes: Partial<SourceStanding> = {}): SourceStanding => ({
  name,
  kind: 'scripted',
  delivers: 'listings',
  licence,
  lastSeen: { by: 'here', at: new Date(noon) },
  unseenSince: undefined,
  removed: false,
  refused: false,
  lastCompletedAt: new Date(noon),
  lastSuccessAt: new Date(noon),
  lastRun: undefined,
  lastProblem: undefined,
  lastImport: undefined,
  rows: 1,
  rejected: 0,
  ...changes,
});

describe('the health of the data', () => {
  let nowMs = noon;
  let standings: readonly SourceStanding[] = [];
  let readings = 0;
  let works = true;
  const oldestAt = new Date(noon - 86_400_000);
  const rates = { ...carriedRates, asOf: new Date(noon).toISOString().slice(0, 10) };
  const underwriting = { status: 'fresh', oldestAt, rates, rateAge: 'current' };
  const create = () =>
    createDataHealth({
      readStandings: async () => {
        readings += 1;
        return works ? standings : Promise.reject(new Error('The database does not answer.'));
      },
      readOldestUnderwriting: async () => oldestAt,
      ratesAt: () => rates,
      now: () => new Date(nowMs),
      log: pino({ level: 'silent' }),
    });
  beforeEach(() => {
    nowMs = noon;
    readings = 0;
    works = true;
    standings = [
      standing('good'),
      standing('new', { lastSuccessAt: undefined }),
      standing('removed', { removed: true, lastSuccessAt: undefined }),
    ];
  });

  const behind = [{ name: 'new', delivers: 'listings', status: 'late', lastSuccessAt: undefined }];

  it('names the sources that are not removed and not fresh, and how old the oldest figures are', async () => {
    assert.deepEqual(await create()(), { sources: { configured: 2, behind }, underwriting });
  });

  it('is read once in a full minute, however many ask at once', async () => {
    const readHealth = create();
    nowMs = noon + 59_999;
    await Promise.all([readHealth(), readHealth()]);
    await readHealth();
    assert.equal(readings, 1);
    nowMs = noon + 60_000;
    standings = [standing('good'), standing('new')];
    assert.deepEqual(await readHealth(), { sources: { configured: 2, behind: [] }, underwriting });
    assert.equal(readings, 2);
  });

  it('is told as it was known while the database does not answer, and anew when it does', async () => {
    const readHealth = create();
    await readHealth();
    works = false;
    nowMs += 60_000;
    assert.deepEqual(await readHealth(), { sources: { configured: 2, behind }, underwriting });
    works = true;
    standings = [];
    nowMs += 60_000;
    assert.deepEqual(await readHealth(), { sources: { configured: 0, behind: [] }, underwriting });
  });

  it('is asked for again at once where it was never known', async () => {
    const readHealth = create();
    works = false;
    await assert.rejects(readHealth(), /does not answer/);
    works = true;
    assert.deepEqual(await readHealth(), { sources: { configured: 2, behind }, underwriting });
  });
});
