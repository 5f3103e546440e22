import assert from 'node:assert/strict';
import { known, valueOf } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import type { Listing, ObservedListing } from '../../../src/listings/listing.js';
import { createListingReader } from '../../../src/listings/listing-reader.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import type { IngestReport } from '../../../src/sources/ingest/ingest-run.js';
import { openTestDatabase } from '../../support/database.js';
import { observe } from '../../listings/observation.js';
import { createScriptedDelivery, type Delivery } from './scripted-delivery.js';
import { clock, ingestOptions, observeMany, setDay } from './scripted-source.js';

/** The listings of two agents for one property at one service, reported as changes from the second day. */
describe('several listings of one property at one source', () => {
  let database: Database;
  let day: number;
  let source: ReturnType<typeof createScriptedDelivery<'listings'>>;
  beforeEach(async () => {
    database = await openTestDatabase();
    day = -1;
    source = Object.assign(createScriptedDelivery('listings', { name: 'exchange' }), { tellsChanges: true });
  });
  afterEach(() => database.close());

  const at = (sourceKey: string, price: string, words: Partial<ObservedListing> = {}) =>
    observe({ sourceKey, address: known('1 Main St'), listPrice: known(price), ...words });
  const other = observe({ sourceKey: 'far', address: known('9 Elm St') });
  /** The next day's run: changes only, or everything when `whole`. */
  const read = (
    rows: readonly ObservedListing[],
    how: Omit<Delivery<'listings'>, 'pages'> & { readonly whole?: boolean } = {},
  ): Promise<IngestReport> => {
    const { whole = day < 0, ...delivery } = how;
    setDay((day += 1));
    source.deliver({ pages: [rows], watermark: `w${day}`, ...delivery });
    return ingestSource(source, { ...ingestOptions(database.knex), ...(whole && { fullEveryMs: 0 }) });
  };
  const shown = async () => {
    const found: Listing[] = [];
    for await (const chunk of createListingReader(database.knex, () => clock.now).readActive()) found.push(...chunk);
    return found.filter(({ address }) => valueOf(address) === '1 Main St');
  };
  const keyAndPrices = async () =>
    (await shown()).map(({ sourceKey, prices }) => [sourceKey, [...new Set(prices.map(({ price }) => Number(price)))]]);

  it('keep the property on sale when the primary is retired and another is still active', async () => {
    await read([at('K1', '300000'), at('K2', '295000'), other]);
    assert.deepEqual(await keyAndPrices(), [['K1', [300_000]]]);
    const before = (await shown())[0]?.id;
    const report = await read([], { removedKeys: ['K1'] });
    assert.equal(report.status, 'completed');
    assert.deepEqual(await keyAndPrices(), [['K2', [295_000]]], 'the price of another listing is no reduction');
    const [listing] = await shown();
    assert.deepEqual([listing?.id, listing?.relisted], [before, false]);
    assert.equal((await read([], { removedKeys: ['K2'] })).retired, 1);
    assert.deepEqual(await shown(), []);
  });

  it('never make a price reduction of two concurrent prices', async () => {
    await read([at('K1', '300000'), at('K2', '280000')]);
    await read([at('K2', '280000', { remarks: known('Now with photos.') })]);
    assert.deepEqual(await keyAndPrices(), [['K1', [300_000]]]);
    await read([at('K1', '290000')]);
    assert.deepEqual(await keyAndPrices(), [['K1', [300_000, 290_000]]]);
    await read([at('K2', '280000'), at('K1', '290000')], { whole: true });
    assert.deepEqual(await keyAndPrices(), [['K1', [300_000, 290_000]]], 'in whichever order they come');
  });

  it('are handed over as last read, without those that have gone meanwhile', async () => {
    await read([at('K1', '300000'), at('K2', '295000'), at('K3', '290000')]);
    await read([at('K3', '285000')], { removedKeys: ['K2'] });
    await read([], { removedKeys: ['K1'] });
    assert.deepEqual(await keyAndPrices(), [['K3', [285_000]]]);
  });

  it('are handed over when the primary turns out to be of another property', async () => {
    await read([at('K1', '300000'), at('K2', '295000')]);
    await read([at('K1', '300000', { address: known('7 Oak St') })]);
    assert.deepEqual(await keyAndPrices(), [['K2', [295_000]]]);
    await read([at('K2', '295000', { address: known('8 Oak St') })]);
    assert.deepEqual(await shown(), []);
  });

  it('are handed over also to a listing that arrives with that correction', async () => {
    await read([at('K1', '300000'), other]);
    await read([at('K2', '295000'), at('K1', '300000', { address: known('7 Oak St') })]);
    assert.deepEqual(await keyAndPrices(), [['K2', [295_000]]]);
    await read([at('K2', '295000', { address: known('8 Oak St') }), at('K3', '290000')]);
    assert.deepEqual(await keyAndPrices(), [['K3', [290_000]]], 'in whichever order they come');
  });

  it('are no relisting when they are handed over on one page, for any number of rows between them', async () => {
    const between = observeMany(60).map((each) => ({ ...each, address: known(`${valueOf(each.address)} Far`) }));
    await read([at('K1', '300000'), ...between, other]);
    const moved = at('K1', '300000', { address: known('7 Oak St') });
    await read([moved, ...between, at('K2', '295000')]);
    assert.deepEqual(
      (await shown()).map(({ sourceKey, relisted }) => [sourceKey, relisted]),
      [['K2', false]],
    );
  });

  it('are handed over, and deleted, by their absence from a complete run', async () => {
    await read([at('K1', '300000'), at('K2', '295000'), at('K3', '290000'), other]);
    await read([at('K3', '290000'), other], { whole: true });
    assert.deepEqual(await keyAndPrices(), [['K3', [290_000]]]);
    await read([], { removedKeys: ['K3'] });
    assert.deepEqual(await shown(), []);
  });

  it('begin a price history of their own when one follows the other: that is a new offer of the property', async () => {
    await read([at('K1', '300000'), other]);
    await read([at('K2', '270000')], { removedKeys: ['K1'] });
    assert.deepEqual(await keyAndPrices(), [['K2', [270_000]]]);
    await read([at('K3', '260000'), other], { whole: true });
    assert.deepEqual(await keyAndPrices(), [['K3', [260_000]]]);
  });
});
