import assert from 'node:assert/strict';
import fc from 'fast-check';
import { confidenceInputs, motivationCodes } from '../../src/deals/scoring/score.js';
import { scoreListing } from '../../src/deals/scoring/score-listing.js';
import { assumptionSetToWire } from '../../src/records/report/assumption-set.js';
import { assumptionSet } from '../../src/underwriting/assumption-set.js';
import { doubtsOf } from '../../src/underwriting/plausibility.js';
import { anyScoreInputs } from '../deals/scoring/arbitrary-score-inputs.js';
import { loadScript } from './load-script.js';

const { labels } = await loadScript<{ readonly labels: Readonly<Record<string, string>> }>('labels.js');
const { words } = await loadScript<{ words(code: string): string }>('figures.js');

/** Names that are plain words already. */
const plain = /^[a-z]+$|^(price_per_unit|deal_score|year_built|loan_balance)$/;

describe('the labels of a report', () => {
  it('name each check and input of the three paths, whatever is known of a deal', () => {
    const named = new Set<string>();
    fc.assert(
      fc.property(anyScoreInputs, (inputs) => {
        for (const { checks, inputs: read, missing } of Object.values(scoreListing(inputs).rationales))
          for (const name of [...checks.map(({ code }) => code), ...Object.keys(read), ...missing]) named.add(name);
      }),
      { numRuns: 300 },
    );
    assert.ok(named.size > 30, String(named.size));
    assertLabeled(named);
  });

  it('name each doubt, sign of motivation, ground of the confidence and declared assumption', () => {
    assertLabeled([...Object.keys(doubtsOf), ...motivationCodes, ...confidenceInputs]);
    const { version: _, effective_from: __, ...assumptions } = assumptionSetToWire(assumptionSet);
    assertLabeled(Object.keys(assumptions));
  });

  it('leave codes of another version as their own words, those of objects too', () => {
    assert.deepEqual(['of_another_version', 'constructor'].map(words), ['of another version', 'constructor']);
  });
});

function assertLabeled(names: Iterable<string>): void {
  const bare = [...names].filter((name) => !Object.hasOwn(labels, name) && !plain.test(name));
  assert.deepEqual(bare, []);
}
