import assert from 'node:assert/strict';
import { createDemoListing, demonstrationSize } from '../../../src/demo/data/create-demo-listing.js';
import { moveListings } from '../../../src/demo/data/take-steps.js';

const { seed, count } = demonstrationSize;
const first = Array.from({ length: count }, (_, index) => createDemoListing(seed, index, 1)).flatMap(
  (each) => each ?? [],
);
const after = (steps: number) =>
  new Map(moveListings(first, { seed, count, steps }).map(({ fields }) => [fields.sourceKey, fields.listPrice]));

describe('a step of the demonstration', () => {
  it('brings one listing, takes one away, and cuts at most three prices', () => {
    let cuts = 0;
    for (let steps = 0; steps < 700; steps += 7) {
      const [before, next] = [after(steps), after(steps + 1)];
      assert.equal([...next.keys()].filter((key) => !before.has(key)).length, 1);
      assert.equal([...before.keys()].filter((key) => !next.has(key)).length, 1);
      const cut = [...next].filter(([key, price]) => before.has(key) && before.get(key) !== price);
      assert.ok(
        cut.length <= 3 && cut.every(([key, price]) => Number(price) < Number(before.get(key))),
        `${cut.length}`,
      );
      cuts += cut.length;
    }
    assert.ok(cuts > 250, `${cuts} cuts`);
  });

  it('leaves the first delivery as it is', () => {
    assert.deepEqual(moveListings(first, { seed, count, steps: 0 }), first);
  });
});
