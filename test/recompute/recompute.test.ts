import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { findProjectFile } from '../../src/project-file.js';
import { dealToWire } from '../../src/records/deal.js';
import { anyDeal } from '../deals/reports/arbitrary-deal.js';

describe('a deal record, recomputed by a script of the standard library', () => {
  const directory = mkdtempSync(join(tmpdir(), 'recompute-'));
  after(() => rmSync(directory, { recursive: true }));

  /** The script's last line and exit code. */
  function recompute(deals: readonly object[]): readonly [string | undefined, number | null] {
    const file = join(directory, 'deals.json');
    writeFileSync(file, JSON.stringify(deals));
    const { stdout, status } = spawnSync('python3', [findProjectFile('test/recompute/recompute.py'), file], {
      encoding: 'utf8',
    });
    return [stdout.trimEnd().split('\n').slice(-3).join('\n'), status];
  }

  before(function () {
    if (spawnSync('python3', ['--version']).status === 0) return;
    process.stderr.write('SKIPPED: python3 is not installed\n');
    this.skip();
  });

  const deals = fc.sample(anyDeal, { numRuns: 300 }).map((deal) => dealToWire(deal));

  it('has the underwriting, scores and limits that its inputs give', () => {
    const [last, status] = recompute(deals);
    assert.match(last ?? '', /^\d{4,} compared, 0 differences$/);
    assert.equal(status, 0);
  });

  it('is told where a score differs', () => {
    const changed = deals.map((deal) => ({ ...deal, deal_score: deal.deal_score + 1 }));
    const [last, status] = recompute(changed);
    assert.match(last ?? '', / 300 differences$/);
    assert.equal(status, 1);
  });
});
