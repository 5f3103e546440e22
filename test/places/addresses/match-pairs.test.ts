import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { isEvidence, matchConfidences } from '../../../src/places/addresses/match-types.js';
import { matchAddresses } from '../../../src/places/addresses/match.js';
import { normalizeAddress } from '../../../src/places/addresses/normalize.js';
import { isNormalizedAddress } from '../../../src/places/addresses/normalized-address.js';
import { findProjectFile } from '../../../src/project-file.js';
import { addressPairs, type AddressPair } from './address-pairs.js';

const sharedPairs = findProjectFile('../shared/data/address_pairs.csv');
const isShared = existsSync(sharedPairs);

describe('matchAddresses on the project pairs', () => {
  for (const pair of addressPairs) {
    it(`${pair.id}: ${pair.a} / ${pair.b} is ${pair.expected}`, () => {
      assert.equal(matchTypeOf(pair.a, pair.b), pair.expected);
      assert.equal(matchTypeOf(pair.b, pair.a), pair.expected);
    });
  }

  it('never accepts two different properties as evidence', () => {
    for (const { id, expected, isSame } of addressPairs) {
      const confidence = expected === 'none' ? '0.00' : matchConfidences[expected];
      const isProof = expected !== 'none' && isEvidence({ matchType: expected, confidence });
      assert.ok(isSame || !isProof, id);
    }
  });

  const title = 'holds for the pairs that lie beside the project';
  (isShared ? it : it.skip)(isShared ? title : `${title}: SKIPPED, ../shared/data/address_pairs.csv is missing`, () => {
    const rows = parse<Record<string, string>>(readFileSync(sharedPairs), { columns: true });
    assert.ok(rows.length >= 40);
    for (const row of rows) {
      assert.equal(matchTypeOf(row['a'] ?? '', row['b'] ?? ''), row['expected_match_type'], row['id']);
    }
  });

  const copied = 'are called one property or two as beside the project';
  (isShared ? it : it.skip)(
    isShared ? copied : `${copied}: SKIPPED, ../shared/data/address_pairs.csv is missing`,
    () => {
      const rows = parse<Record<string, string>>(readFileSync(sharedPairs), { columns: true });
      const told = new Map(rows.map(({ a, b, same_property: same }) => [`${a} / ${b}`, same]));
      const both = addressPairs.flatMap(({ a, b, isSame, id }) => {
        const same = told.get(`${a} / ${b}`);
        return same === undefined ? [] : { id, same, copied: isSame ? 'Y' : 'N' };
      });
      assert.ok(both.length >= 40, `${both.length} pairs are copied`);
      for (const { id, same, copied: ours } of both) assert.equal(ours, same, id);
    },
  );
});

/** The pair is everything known of its ZIP and house number. */
function matchTypeOf(first: string, second: string): AddressPair['expected'] {
  const a = normalizeAddress(first);
  const b = normalizeAddress(second);
  return matchAddresses(a, b, { candidates: [a, b].filter(isNormalizedAddress) })?.matchType ?? 'none';
}
