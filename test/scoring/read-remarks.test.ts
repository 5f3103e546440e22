import assert from 'node:assert/strict';
import { readRemarks } from '../../src/scoring/read-remarks.js';
import { remarksTopics, remarksWords } from '../../src/scoring/remarks-words.js';

function read(remarks: string): string[] {
  return [...readRemarks(remarks)];
}

describe('readRemarks', () => {
  it('hears every phrase of its lists', () => {
    for (const topic of remarksTopics) {
      for (const phrase of remarksWords[topic])
        assert.ok(read(`Six units. ${phrase}, call today`).includes(topic), phrase);
    }
  });

  it('matches whole words only', () => {
    assert.deepEqual(read('Shelled peanuts, probated, unmotivated sellers'), []);
  });

  it('does not hear a negated offer, and hears the one of the next sentence', () => {
    assert.deepEqual(read('Cash only, no seller financing.'), []);
    assert.deepEqual(read('Owner will not do a land contract'), []);
    assert.deepEqual(read("Seller won't do owner financing"), []);
    assert.deepEqual(read('No seller financing. Land contract considered.'), ['seller_finance']);
    assert.deepEqual(read('No repairs are needed! Turnkey.'), ['light_rehab']);
  });

  it('ends a negation with its clause, and hears none in what is only said not to last', () => {
    assert.deepEqual(read('No HOA - motivated seller'), ['motivated']);
    assert.deepEqual(read('Not a condo: must sell'), ['motivated']);
    assert.deepEqual(read("Won't last, must sell!"), ['motivated']);
    assert.deepEqual(read('This will not last, motivated seller'), ['motivated']);
    assert.deepEqual(read('No owner-financing, land contract or lease option'), []);
  });

  it('hears a plain offer after a negated one of the same kind', () => {
    assert.deepEqual(read('Not an estate sale; the probate sale next door is.'), ['estate']);
  });

  it('reads nothing in empty remarks and ignores what follows ten thousand characters', () => {
    assert.deepEqual(read(''), []);
    assert.deepEqual(read(`${'x'.repeat(10_000)} must sell`), []);
  });
});
