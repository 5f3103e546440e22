import assert from 'node:assert/strict';
import { known } from '../../src/absence.js';
import { readPrices } from '../../src/deals/scoring/price-reduction.js';
import { at, openSources } from './read-sources.js';

describe('an offer of a property', () => {
  let sources: Awaited<ReturnType<typeof openSources>>;
  beforeEach(async () => {
    sources = await openSources();
  });
  afterEach(() => sources.database.close());

  const elsewhere = at('9 Far Rd', { sourceKey: 'far' });
  async function read(day: number, ...rows: readonly (readonly [sourceKey: string, price: string])[]): Promise<void> {
    const listings = rows.map(([sourceKey, price]) => at('500 E Elm St', { sourceKey, listPrice: known(price) }));
    await sources.read(day, 'a', [...listings, elsewhere]);
  }
  async function readDeal() {
    const deal = (await sources.deals()).find(({ sourceKey }) => sourceKey !== 'far') ?? assert.fail();
    const offers = deal.priceHistory[0]?.offers ?? [];
    const { cuts, isReduced } = readPrices(deal);
    return {
      offers: offers.map((prices) => [...new Set(prices.map(({ price }) => price))]),
      cuts: cuts.length,
      isReduced,
    };
  }

  it('ends when another key appears: cuts before it do not count', async () => {
    await read(0, ['k1', '400000']);
    await read(1, ['k1', '380000']);
    await read(2);
    await read(3, ['k2', '420000']);
    await read(4, ['k2', '400000']);
    await read(5, ['k2', '410000']);
    const offers = [
      ['400000', '380000'],
      ['420000', '400000', '410000'],
    ];
    assert.deepEqual(await readDeal(), { offers, cuts: 1, isReduced: true });
  });

  it('ends when its key was gone for a week, though the price is the same', async () => {
    await read(0, ['k1', '400000']);
    await read(1);
    await read(7, ['k1', '400000']);
    assert.deepEqual((await readDeal()).offers, [['400000']]);
    await read(8);
    await read(15, ['k1', '400000']);
    assert.deepEqual((await readDeal()).offers, [['400000'], ['400000']]);
  });
});
