import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import { createListingReader } from '../../src/listings/listing-reader.js';
import type { ObservedListing } from '../../src/listings/listing.js';
import { openSuppression } from '../policy/suppression.js';
import { clock, licence, setDay } from '../sources/ingest/scripted-source.js';
import { observe } from './observation.js';
import { at, openSources } from './read-sources.js';

const noZip = { zip: absent('not_stated_by_source') };

describe('the id of a deal', () => {
  let sources: Awaited<ReturnType<typeof openSources>>;
  beforeEach(async () => {
    sources = await openSources();
  });
  afterEach(() => sources.database.close());

  const read = (...reading: Parameters<typeof sources.read>) => sources.read(...reading);
  const deals = () => sources.deals();
  const only = () => sources.only();
  const reader = () => sources.reader();

  describe('stays while the source key does', () => {
    const changes: readonly (readonly [what: string, before: ObservedListing, after: ObservedListing])[] = [
      ['the ZIP is added', at('500 E Elm St', noZip), at('500 E Elm St')],
      ['the ZIP is mended', at('500 E Elm St', { zip: known('44107') }), at('500 E Elm St')],
      ['a typing error is mended', at('1234 Kinsmann Rd'), at('1234 Kinsman Rd')],
      ['the range is narrowed', at('3456-3462 E 93rd St'), at('3458-3460 E 93rd St')],
      ['the range overlaps', at('3456-3460 E 93rd St'), at('3458-3464 E 93rd St')],
      ['a directional is added', at('500 Elm St'), at('500 E Elm St')],
      [
        'the address is stated for the first time',
        observe({ address: absent('not_stated_by_source') }),
        at('500 E Elm St'),
      ],
      ['the address can be read no longer', at('500 E Elm St'), at('Corner of Elm')],
      ['the unit is written otherwise', at('500 E Elm St Apt 2'), at('500 E Elm St #2')],
      [
        'the parcel is the same',
        at('1 Oak St', { parcelId: known('1-2') }),
        at('9 Elm Ave', { parcelId: known('12') }),
      ],
    ];
    for (const [what, before, after] of changes)
      it(`and ${what}: with days and prices`, async () => {
        await read(0, 'a', [before]);
        const { id } = await only();
        await read(4, 'a', [{ ...after, listPrice: known('240000') }]);
        const deal = await only();
        assert.deepEqual(
          [deal.id, deal.firstSeenAt, deal.formerIds, deal.aliases],
          [id, new Date('2026-11-01'), [], []],
        );
        assert.deepEqual(
          deal.prices.map(({ price }) => price),
          ['250000', '240000'],
        );
        await read(5, 'a', [{ ...after, listPrice: known('240000') }]);
        assert.equal((await only()).id, id, 'read again');
      });
  });

  describe('becomes a new one that names the former', () => {
    const changes: readonly (readonly [what: string, before: ObservedListing, after: ObservedListing])[] = [
      ['the number contradicts', at('500 E Elm St'), at('502 E Elm St')],
      ['the ordinal contradicts', at('500 E 93rd St'), at('500 E 94th St')],
      ['the directional contradicts', at('500 E Elm St'), at('500 W Elm St')],
      ['the street is another', at('500 E Elm St'), at('500 E Broadway Ave')],
      ['the state is another', at('500 Elm St'), at('500 Elm St', { state: 'TX', zip: known('75202') })],
      ['a building becomes units', at('500 E Elm St'), at('500 E Elm St Apt 1')],
      ['the unit contradicts', at('500 E Elm St Apt 1'), at('500 E Elm St Apt 2')],
      ['the street contradicts and the ZIP is unknown', at('500 E Elm St', noZip), at('7 Oak Ave', noZip)],
    ];
    for (const [what, before, after] of changes)
      it(`when ${what}`, async () => {
        await read(0, 'a', [before]);
        const { id } = await only();
        await read(1, 'a', [after]);
        const deal = await only();
        assert.notEqual(deal.id, id);
        assert.deepEqual([deal.formerIds, deal.aliases, deal.firstSeenAt], [[id], [], new Date('2026-11-02')]);
        for await (const [former] of reader().readSome([id])) assert.equal(former?.listing, undefined, 'retired');
        await read(2, 'a', [after]);
        assert.equal((await only()).id, deal.id, 'read again');
      });
  });

  it('is the first one, and the later an alias, when a mended address is that of another source', async () => {
    await read(0, 'a', [at('1234 Kinsmann Rd')]);
    await read(1, 'b', [at('1234 Kinsman Rd', { sourceKey: 'b1' })]);
    const [first, second] = await deals();
    assert.ok(first && second);
    await read(2, 'a', [at('1234 Kinsman Rd')]);
    const one = [first, second].find(({ sourceName }) => sourceName === 'a');
    const other = [first, second].find(({ sourceName }) => sourceName === 'b');
    const deal = await only();
    assert.deepEqual([deal.id, deal.aliases, deal.sourceName], [one?.id, [other?.id], 'a']);
    assert.deepEqual(
      deal.otherWords.map(({ sourceName }) => sourceName),
      ['b'],
    );
    for await (const changes of reader().changedSince(clock.now))
      assert.deepEqual(
        changes.map(({ id, listing }) => [id, listing !== undefined]).sort(),
        [
          [deal.id, true],
          [other?.id, false],
        ].sort(),
        'both are published anew',
      );
  });

  it('changes with all that follows from it, or not at all', async () => {
    await read(0, 'a', [at('1234 Kinsmann Rd')]);
    await read(1, 'b', [at('1234 Kinsman Rd', { sourceKey: 'b1' })]);
    const { knex } = sources.database;
    const readAll = () =>
      Promise.all(['listings', 'listing_sources', 'listing_prices', 'listing_aliases'].map((table) => knex(table)));
    const before = await readAll();
    await knex.raw('alter table listing_aliases add constraint fails check (false)');
    await assert.rejects(read(2, 'a', [at('1234 Kinsman Rd', { listPrice: known('240000') })]));
    assert.deepEqual(await readAll(), before);
    await knex.raw('alter table listing_aliases drop constraint fails');
    await read(2, 'a', [at('1234 Kinsman Rd', { listPrice: known('240000') })]);
    assert.equal((await only()).aliases.length, 1);
  });

  it('stays with the other sources when one of several goes to another property', async () => {
    await read(0, 'a', [at('1234 Kinsmann Rd')]);
    await read(0, 'b', [at('1234 Kinsmann Rd', { sourceKey: 'b1' })]);
    await read(0, 'c', [at('1234 Kinsman Rd', { sourceKey: 'c1', listPrice: known('1') })]);
    const before = (await deals()).find(({ otherWords }) => otherWords.length === 1);
    await read(1, 'a', [at('1234 Kinsman Rd')]);
    const after = await deals();
    assert.deepEqual(
      after.map(({ sourceName, otherWords, aliases }) => [
        sourceName,
        otherWords.map((word) => word.sourceName),
        aliases,
      ]),
      [
        ['a', ['c'], []],
        ['b', [], []],
      ],
    );
    assert.equal(after[1]?.id, before?.id);
  });

  it('is one for three sources of which one does not state the ZIP, in any order', async () => {
    const rows = [
      ['a', at('500 E Elm St', { sourceKey: 'a1' })],
      ['b', at('500 East Elm Street', { sourceKey: 'b1', ...noZip })],
      ['c', at('500 E Elm St', { sourceKey: 'c1' })],
    ] as const;
    for (const order of [
      [0, 1, 2],
      [1, 0, 2],
      [2, 0, 1],
    ] as const) {
      await sources.database.knex('listing_sources').delete();
      await sources.database.knex('listings').delete();
      await sources.database.knex('listing_aliases').delete();
      const ids = new Set<string>();
      for (const [day, index] of order.entries()) {
        const [name, row] = rows[index];
        await read(day, name, [row]);
        ids.add((await only()).id);
      }
      const deal = await only();
      assert.equal(ids.size, 1, 'never another id');
      assert.deepEqual([deal.sourceName, ...deal.otherWords.map(({ sourceName }) => sourceName)].sort(), [
        'a',
        'b',
        'c',
      ]);
    }
  });

  it('joins without a ZIP only while one is known, and is restored when a second becomes known', async () => {
    const bare = at('500 E Elm St', { sourceKey: 'b1', ...noZip });
    await read(0, 'a', [at('500 E Elm St', { sourceKey: 'a1' })]);
    await read(0, 'c', [at('500 E Elm St', { sourceKey: 'c1', zip: known('44107') })]);
    await read(1, 'b', [bare]);
    const alone = (await deals()).find(({ sourceName }) => sourceName === 'b');
    assert.equal((await deals()).length, 3, 'two are known');
    // One of them was an error: its source corrects it.
    await read(2, 'c', [at('500 E Elm St', { sourceKey: 'c1' })]);
    await read(2, 'b', [{ ...bare, units: known(5) }]);
    const joined = (await deals()).find(({ otherWords }) => otherWords.length > 0);
    await read(3, 'd', [at('500 E Elm St', { sourceKey: 'd1', zip: known('44109') })]);
    const split = (await deals()).find(({ sourceName }) => sourceName === 'b');
    assert.equal(split?.id, alone?.id);
    assert.notEqual(joined?.id, alone?.id);
  });

  it('is given back when a second ZIP becomes known, to whoever had another', async () => {
    await read(0, 'b', [at('500 E Elm St', { sourceKey: 'b1', ...noZip })]);
    const bare = await only();
    await read(1, 'a', [at('500 E Elm St', { sourceKey: 'a1' })]);
    assert.equal((await only()).id, bare.id);
    await read(2, 'c', [at('500 E Elm St', { sourceKey: 'c1', zip: known('44107') })]);
    const [a, b, c] = await deals();
    assert.deepEqual([a?.sourceName, b?.sourceName, c?.sourceName], ['a', 'b', 'c']);
    assert.equal(b?.id, bare.id);
    assert.deepEqual(a?.formerIds, [bare.id]);
  });

  it('of a merged property becomes an alias that is restored, with a hold on both', async () => {
    await read(0, 'a', [at('500 E Elm St', { sourceKey: 'a1' })]);
    const first = await only();
    await read(1, 'b', [at('Corner of Elm', { sourceKey: 'b1', ...noZip })]);
    const second = (await deals()).find(({ sourceName }) => sourceName === 'b') ?? assert.fail();
    await read(2, 'b', [at('500 E Elm St', { sourceKey: 'b1', ...noZip })]);
    assert.deepEqual([(await only()).id, (await only()).aliases], [first.id, [second.id]]);
    assert.deepEqual(await reader().findReplaced([second.id]), [{ former: second.id, current: first.id }]);
    assert.deepEqual(await reader().findReplaced([first.id]), [{ former: first.id, current: second.id }]);
    await read(3, 'c', [at('500 E Elm St', { sourceKey: 'c1', zip: known('44107') })]);
    const restored = await deals();
    assert.deepEqual(restored.map(({ sourceName, id, aliases }) => [sourceName, id, aliases]).slice(0, 2), [
      ['a', first.id, []],
      ['b', second.id, []],
    ]);
    assert.deepEqual(await reader().findReplaced([first.id]), [{ former: first.id, current: second.id }], 'still held');
    setDay(40);
    assert.deepEqual(await reader().findReplaced([first.id]), []);
  });

  it('tells no address that its licence hides, not even by an alias', async () => {
    const hides = { licence: { ...licence, undisplayedFields: ['address'] } };
    await read(0, 'a', [at('500 E Elm St')]);
    await read(0, 'b', [at('500 E Elm St', { sourceKey: 'b1' })]);
    const shown = await only();
    await read(1, 'b', [at('500 E Elm St', { sourceKey: 'b1' })], hides);
    const [a, b] = await deals();
    assert.deepEqual([a?.sourceName, b?.sourceName, a?.id], ['a', 'b', shown.id]);
    assert.notEqual(b?.id, shown.id);
    assert.deepEqual([a?.aliases, b?.aliases, b?.formerIds, a?.formerIds], [[], [], [], []]);
  });

  it('is suppressed by the address of any of its sources', async () => {
    await read(0, 'a', [at('1234 Kinsmann Rd')]);
    await read(0, 'b', [at('1234 Kinsmann Rd', { sourceKey: 'b1' })]);
    await read(1, 'b', [at('1234 Kinsman Rd', { sourceKey: 'b1' })]);
    const { id, sourceName, otherWords } = await only();
    assert.deepEqual([sourceName, otherWords.length], ['a', 1]);
    const suppression = openSuppression(sources.database.knex);
    await suppression.suppressAddress('1234 Kinsman Rd, Cleveland, OH 44105', 'owner');
    const guarded = createListingReader(sources.database.knex, () => clock.now, suppression);
    for await (const [change] of guarded.readSome([id])) assert.equal(change?.listing, undefined);
  });

  it('tells no ZIP that its licence hides', async () => {
    const hides = { licence: { ...licence, undisplayedFields: ['zip'] } };
    await read(0, 'a', [at('500 E Elm St')]);
    await read(0, 'b', [at('500 E Elm St', { sourceKey: 'b1' })], hides);
    assert.equal((await deals()).length, 2);
  });

  it('is never given to another property of a former address', async () => {
    await read(0, 'a', [at('1234 Kinsmann Rd')]);
    const { id } = await only();
    await read(1, 'a', [at('1234 Kinsman Rd')]);
    await read(2, 'b', [at('1234 Kinsmann Rd', { sourceKey: 'b1' })]);
    const found = await deals();
    assert.equal(found.length, 2);
    assert.equal(found.find(({ sourceName }) => sourceName === 'a')?.id, id);
    await read(3, 'b', [at('1234 Kinsmann Rd', { sourceKey: 'b1' })]);
    assert.deepEqual(
      (await deals()).map((deal) => deal.id),
      found.map((deal) => deal.id),
    );
  });
});
