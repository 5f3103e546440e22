import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import { readPrices } from '../../src/deals/scoring/price-reduction.js';
import type { Listing, ObservedListing } from '../../src/listings/listing.js';
import { licence } from '../sources/ingest/scripted-source.js';
import { at, openSources } from './read-sources.js';

const dollars = (price: string, overrides: Partial<ObservedListing> = {}) =>
  at('500 E Elm St', { listPrice: known(price), ...overrides });
const day = (count: number) => new Date(Date.parse('2026-11-01') + count * 86_400_000);
const pricesOf = ({ prices }: Listing) => prices.map(({ price }) => price);

describe('the source that speaks for a property', () => {
  let sources: Awaited<ReturnType<typeof openSources>>;
  beforeEach(async () => {
    sources = await openSources();
  });
  afterEach(() => sources.database.close());

  const read = (...reading: Parameters<typeof sources.read>) => sources.read(...reading);
  const only = () => sources.only();

  it('is the first that showed it, until it goes, and then the next by name; prices of two are never mixed', async () => {
    await read(0, 'b', [dollars('250000', { capRate: absent('not_published_by_source') })]);
    await read(1, 'c', [dollars('230000')]);
    await read(1, 'a', [dollars('240000')]);
    await read(2, 'b', [dollars('245000')]);
    const { sourceName, sourceFirstSeenAt, otherWords, ...deal } = await only();
    assert.deepEqual([sourceName, sourceFirstSeenAt, pricesOf(await only())], ['b', day(0), ['250000', '245000']]);
    assert.deepEqual(
      otherWords.map(({ sourceName, listPrice, firstSeenAt }) => [sourceName, listPrice, firstSeenAt]),
      [
        ['a', known('240000'), day(1)],
        ['c', known('230000'), day(1)],
      ],
    );
    assert.deepEqual(
      deal.priceHistory.map(({ sourceName, offers }) => [sourceName, offers[0]?.[0]?.price]),
      [
        ['b', '250000'],
        ['a', '240000'],
        ['c', '230000'],
      ],
    );
    await read(3, 'b', [at('7 Oak St', { sourceKey: 'k7' })]);
    const next = (await sources.deals()).find(({ id }) => id === deal.id);
    assert.deepEqual([next?.sourceName, next?.firstSeenAt, next && pricesOf(next)], ['a', day(0), ['240000']]);
  });

  it('is another once its licence ends', async () => {
    await read(0, 'a', [dollars('250000')], { licence: { ...licence, expiresAt: day(2) } });
    await read(1, 'b', [dollars('240000')]);
    assert.equal((await only()).sourceName, 'a');
    await read(2, 'c', [at('9 Far Rd')]);
    assert.deepEqual(
      (await sources.deals()).map(({ sourceName, priceHistory }) => [sourceName, priceHistory.length]),
      [
        ['b', 1],
        ['c', 1],
      ],
    );
  });

  it('is the same over five days of small disagreements, and so is the id, without a cut', async () => {
    const days = [
      ['500 E Elm St', '250000', 4],
      ['500 East Elm Street', '249999.99', 4],
      ['500 E Elm', '251000', 5],
      ['500 E. Elm St.', '249900', 4],
      ['500 E Elm Street', '250000', 4],
    ] as const;
    await read(0, 'a', [at('500 E Elm St')]);
    const { id } = await only();
    for (const [day, [address, price, units]] of days.entries()) {
      await read(day + 1, 'b', [at(address, { sourceKey: 'b1', listPrice: known(price), units: known(units) })]);
      await read(day + 1, 'a', [at(address, { listPrice: known(price) })]);
      const deal = await only();
      assert.deepEqual([deal.id, deal.sourceName, deal.sourcesDisagree], [id, 'a', units !== 4]);
      assert.deepEqual(readPrices(deal).cuts, []);
    }
  });

  it('says that sources disagree about units, or about prices by more than 3%', async () => {
    await read(0, 'a', [at('500 E Elm St', { listPrice: known('100000') })]);
    const states = async (words: Partial<ObservedListing>) => {
      await read(1, 'b', [at('500 E Elm St', { sourceKey: 'b1', ...words })]);
      return (await only()).sourcesDisagree;
    };
    assert.equal(await states({ listPrice: known('103000') }), false);
    assert.equal(await states({ listPrice: known('103000.01') }), true);
    assert.equal(await states({ listPrice: known('97000') }), true, '3% of the lower');
    assert.equal(await states({ listPrice: known('100000'), units: known(5) }), true);
    assert.equal(await states({ listPrice: known('100000'), units: absent('not_stated_by_source') }), false);
  });
});
