import assert from 'node:assert/strict';
import { isEvidence } from '../../../src/places/addresses/match-types.js';
import { matchAddresses } from '../../../src/places/addresses/match.js';
import { normalizeAddress } from '../../../src/places/addresses/normalize.js';
import { isNormalizedAddress, type NormalizedAddress } from '../../../src/places/addresses/normalized-address.js';
import { identifyByAddress } from '../../../src/listings/listing-identity.js';
import { known } from '../../../src/absence.js';
import { observe } from '../../listings/observation.js';
import { createNearMisses, createSlips, type NearMiss } from './near-misses.js';

const seeds = [20_261_127, 1, 2, 3];

describe('two addresses that differ in a digit, a letter or a part', () => {
  for (const seed of seeds) {
    it(`are never evidence of each other, in either order; seed ${seed}`, () => {
      const pairs = createNearMisses(seed).filter((pair) => !isDeclaredEqual(pair));
      assert.ok(pairs.length >= 500, `${pairs.length} pairs`);
      const wrong = pairs.filter((pair) => reachesEvidence(pair.a, pair.b) || reachesEvidence(pair.b, pair.a));
      assert.deepEqual(wrong, []);
    });
  }

  it('are evidence only where both spellings mean one street, over 1,000 seeded slips', () => {
    const slips = createSlips(seeds[0] ?? 0, 1000).filter((pair) => !isDeclaredEqual(pair));
    const sure = slips.filter(({ a, b }) => reachesEvidence(a, b) || reachesEvidence(b, a));
    const differ = sure.filter(({ a, b }) => identityOf(a) !== identityOf(b));
    assert.deepEqual(differ, []);
  });

  it('never share an identity', () => {
    const pairs = createNearMisses(seeds[0] ?? 0).filter((pair) => !isDeclaredEqual(pair));
    const shared = pairs.filter(({ a, b }) => identityOf(a) !== undefined && identityOf(a) === identityOf(b));
    assert.deepEqual(shared, []);
  });
});

/** `1001-1005` and `1001-5` are one range, and a range contains its numbers. */
function isDeclaredEqual({ a, b, mutation }: NearMiss): boolean {
  if (!mutation.includes('house number')) return false;
  const [one, other] = [normalizeAddress(a), normalizeAddress(b)].filter(isNormalizedAddress);
  if (one === undefined || other === undefined || one.number.grid !== '' || other.number.grid !== '') return false;
  return holds(one, other) || holds(other, one);
}

function holds({ number: outer }: NormalizedAddress, { number: inner }: NormalizedAddress): boolean {
  return outer.low !== outer.high && outer.low <= inner.low && inner.high <= outer.high;
}

function reachesEvidence(first: string, second: string): boolean {
  const [a, b] = [normalizeAddress(first), normalizeAddress(second)];
  const match = matchAddresses(a, b, { candidates: [a, b].filter(isNormalizedAddress) });
  return match !== undefined && isEvidence(match);
}

function identityOf(line: string): string | undefined {
  const [street = '', ...behind] = line.split(', ');
  const [state = '', zip = ''] = (behind.pop() ?? '').split(' ');
  const city = behind.pop() ?? '';
  const address = known([street, ...behind].join(', '));
  return identifyByAddress(observe({ address, city, state, zip: known(zip) })).key;
}
