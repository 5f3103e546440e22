import assert from 'node:assert/strict';
import { readRemarks } from '../../../src/deals/scoring/read-remarks.js';
import { remarksTopics, remarksWords } from '../../../src/deals/scoring/remarks-words.js';

function read(remarks: string): string[] {
  return [...readRemarks(remarks)];
}

describe('readRemarks', () => {
  it('detects every phrase of its lists', () => {
    for (const topic of remarksTopics) {
      for (const phrase of remarksWords[topic])
        assert.ok(read(`Six units. ${phrase}, call today`).includes(topic), phrase);
    }
  });

  it('matches whole words only', () => {
    assert.deepEqual(read('Shelled peanuts, probated, unmotivated sellers'), []);
  });

  it('ignores a negated offer, and detects the one of the next sentence', () => {
    assert.deepEqual(read('Cash only, no seller financing.'), []);
    assert.deepEqual(read('Owner will not do a land contract'), []);
    assert.deepEqual(read("Seller won't do owner financing"), []);
    assert.deepEqual(read('No seller financing. Land contract considered.'), ['seller_finance']);
    assert.deepEqual(read('No repairs are needed! Turnkey.'), ['light_rehab']);
  });

  it('ends a negation with its clause, and finds none in a statement that something will not last', () => {
    assert.deepEqual(read('No HOA - motivated seller'), ['motivated']);
    assert.deepEqual(read('Not a condo: must sell'), ['motivated']);
    assert.deepEqual(read("Won't last, must sell!"), ['motivated']);
    assert.deepEqual(read('This will not last, motivated seller'), ['motivated']);
    assert.deepEqual(read('No owner-financing, land contract or lease option'), []);
  });

  it('detects each negation before a phrase', () => {
    const denied = [
      "Seller doesn't offer owner financing",
      'Sellers don’t do land contracts or owner carry',
      'Seller unable to do owner financing',
      'Neither owner financing nor land contract',
      'Neither a land contract nor seller financing is offered',
      'Zero deferred maintenance',
      'Free of deferred maintenance',
      'Free from any code violations',
      'No trades, seller financing, or lease options',
      'No FHA, VA or owner financing',
      'No owner financing, land contract',
      'No fire damage, water damage or structural damage',
    ];
    for (const remarks of denied) assert.deepEqual(read(remarks), [], remarks);
  });

  it('detects a negation after a phrase, and the answer to a question', () => {
    const denied = [
      "Owner carry? Seller doesn't offer it",
      'Owner carry possible? No',
      'Looking for a turnkey? This is not it',
      'Seller financing not available',
      'Seller financing is not an option at this time',
      'Owner financing will not be considered',
      'Owner financing terms are no longer available',
      'Land contract unavailable',
      'Owner financing: no. Cash',
      'Owner carry - none',
      'Deferred maintenance is not an issue',
    ];
    for (const remarks of denied) assert.deepEqual(read(remarks), [], remarks);
  });

  it('detects no negation in a denial of something else', () => {
    const offered = [
      'No credit check, seller financing available',
      'No credit check seller financing',
      'Zero down owner financing',
      'not a drive-by: owner will carry',
      'Seller financing available, no balloon',
      'Owner will carry no balloon',
      "Can't get a loan? Owner will carry",
      'Unable to qualify, owner will carry',
      'Need seller financing? No problem!',
      'Not only cash, seller financing too',
      'Seller financing. Not a short sale.',
      'Owner carry? Great terms, no prepayment penalty',
      'Owner will carry? No bank needed!',
      'Owner financing is not a problem.',
      'Seller financing is no issue',
      'No FHA, cash or owner financing.',
      'No commercial loans, cash or seller financing only',
    ];
    for (const remarks of offered) assert.deepEqual(read(remarks), ['seller_finance'], remarks);
    assert.deepEqual(read("Don't miss this motivated seller"), ['motivated']);
    assert.deepEqual(read('Motivated seller no reasonable offer refused'), ['motivated']);
    assert.deepEqual(read('Estate sale is not subject to court confirmation'), ['estate']);
    assert.deepEqual(read('No seller financing, sold as is'), ['as_is']);
    assert.deepEqual(read('Sold as is, no repairs will be made, no warranties'), ['as_is']);
  });

  it('does not confuse a real estate sale with an estate sale, or a comparison with a sale as is', () => {
    const alike = [
      'The best real estate sale of the year',
      'Kitchen is new, as is unit 2',
      'The roof is new, as is the furnace',
      'Unit 1 is rented as is each of the others',
    ];
    for (const remarks of alike) assert.deepEqual(read(remarks), [], remarks);
    const meant = [
      'as-is, where-is',
      'Sold as is',
      'sold as is the seller makes no repairs',
      'As-is unit mix',
      'as is.',
    ];
    for (const remarks of meant) assert.deepEqual(read(remarks), ['as_is'], remarks);
    assert.deepEqual(read('Real estate and contents of an estate sale'), ['estate']);
  });

  it('detects a plain offer after a negated one of the same kind', () => {
    assert.deepEqual(read('Not an estate sale; the probate sale next door is.'), ['estate']);
  });

  it('finds nothing in empty remarks and ignores text after ten thousand characters', () => {
    assert.deepEqual(read(''), []);
    assert.deepEqual(read(`${'x'.repeat(10_000)} must sell`), []);
  });
});
