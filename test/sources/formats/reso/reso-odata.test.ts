import assert from 'node:assert/strict';
import { absent, known } from '../../../../src/absence.js';
import { readSource } from '../../read-source.js';
import { keysOf, type Property, property, resoAt as source, serverTime, startReso } from './mock-reso.js';
import { rejects, type MockServer, startMockServer } from '../../upstream/mock-server.js';

describe('createResoSource', () => {
  let mockServer: MockServer | undefined;
  afterEach(() => mockServer?.close());

  async function start(properties: Property[], most?: number) {
    const reso = await startReso(properties, most);
    mockServer = reso;
    return reso;
  }
  const observe = async (rest: Property) => {
    const { url } = await start([property('a', 1, rest)]);
    const { taken, refused } = await readSource(source(url));
    return taken[0] ?? assert.fail(JSON.stringify(refused));
  };

  it('reads a listing as the listing service states it', async () => {
    const listing = await observe({});
    assert.deepEqual(
      [
        listing.marketplace,
        listing.address,
        listing.city,
        listing.state,
        listing.zip,
        listing.county,
        listing.parcelId,
      ],
      [
        'Example MLS',
        known('100 Example Avenue'),
        'Cleveland',
        'OH',
        known('44105'),
        known('Cuyahoga'),
        known('131-01-001'),
      ],
    );
    assert.deepEqual(
      [listing.listPrice, listing.units, listing.capRate, listing.noi, listing.operatingExpenses, listing.taxes],
      [known('289000'), known(4), known('8.9'), known('25721'), known('17599'), known('5210')],
    );
    assert.deepEqual([listing.propertyType, listing.vacancyPct], [known('fourplex'), known('25')]);
    assert.deepEqual([listing.saleCondition, listing.terms], ['standard', ['cash', 'owner_may_carry']]);
    assert.deepEqual(listing.yearBuilt, absent('not_stated_by_source'));
  });

  it('requests active and viewable listings first, in the order of change, with the unit mix', async () => {
    const { url, seen } = await start([]);
    await readSource(source(url));
    const asked = new URL(seen[0]?.slice(4) ?? '', url);
    assert.equal(
      asked.searchParams.get('$filter'),
      "(PropertyType eq 'Residential Income') and StandardStatus eq 'Active' and MlgCanView eq true",
    );
    assert.equal(asked.searchParams.get('$orderby'), 'ModificationTimestamp');
    assert.equal(asked.searchParams.get('$expand'), 'UnitTypes');
    assert.ok(!asked.search.includes('+'));
  });

  it('asks a server without the field of utilities once more without it, and one that refuses another only once', async () => {
    const reso = await start([property('a', 1)]);
    reso.state.lacks = 'OwnerPays';
    const { taken } = await readSource(source(reso.url));
    assert.deepEqual(keysOf(taken), ['a']);
    assert.deepEqual(
      reso.seen.map((each) => each.includes('OwnerPays')),
      [true, false],
    );
    reso.state.lacks = 'CapRate';
    const before = reso.seen.length;
    await rejects(readSource(source(reso.url)), 'upstream_refused', /status 400/);
    assert.equal(reso.seen.length - before, 2);
  });

  it('does not request MlgCanView from a server without it', async () => {
    const { url, seen } = await start([]);
    await readSource(source(url, { hasCanView: false }));
    assert.ok(!seen[0]?.includes('MlgCanView'));
  });

  it('follows the next link and drops repeated rows', async () => {
    const { url } = await start(['a', 'b', 'c', 'd', 'e'].map((key, index) => property(key, index)));
    const { taken, pages } = await readSource(source(url));
    assert.deepEqual(keysOf(taken), ['a', 'b', 'c', 'd', 'e']);
    assert.equal(pages.length, 4);
  });

  it('resumes at the last change and drops rows already read, although they have the same time', async () => {
    const { url, seen, state } = await start([property('a', 1), property('b', 5), property('c', 5)]);
    const first = await readSource(source(url));
    state.properties = [...state.properties, property('d', 5), property('e', 7, { ListPrice: 1000 })];
    const second = await readSource(source(url), { watermark: first.watermark });
    assert.deepEqual(keysOf(second.taken), ['d', 'e']);
    const asked = new URL(seen.at(-1)?.slice(4) ?? '', url).searchParams.get('$filter') ?? '';
    assert.match(asked, /^(?!.*(MlgCanView|StandardStatus)).*ModificationTimestamp ge 2026-11-18T09:05:31\.120Z/);
    const { taken, removedKeys } = await readSource(source(url), { watermark: second.watermark });
    assert.deepEqual([taken, removedKeys], [[], []]);
  });

  it("starts at an operator's watermark", async () => {
    const { url, seen } = await start([property('a', 1), property('b', 5)]);
    assert.deepEqual(keysOf((await readSource(source(url), { watermark: '2026-11-18T09:03:00Z' })).taken), ['b']);
    await rejects(readSource(source(url), { watermark: 'yesterday' }), 'configuration_invalid', /such as 2026-10-01/);
    assert.match(decodeURIComponent(seen[0] ?? ''), /ModificationTimestamp ge 2026-11-18T09:03:00\.000Z/);
  });

  it('resumes no later than the start of the run, so that changes meanwhile are not missed', async () => {
    const { url, state } = await start([property('a', 1), property('b', 2)]);
    const create = source(url);
    const first = await create().fetchPage(undefined);
    const meanwhile = { ModificationTimestamp: '2026-11-22T06:00:05.000Z' };
    state.properties = [
      property('a', 1, { ...meanwhile, StandardStatus: 'Closed' }),
      property('c', 3, { ModificationTimestamp: '2026-11-22T06:00:09.000Z' }),
    ];
    const last = await create().fetchPage(
      JSON.stringify({
        ...JSON.parse(first.watermark ?? ''),
        begunAt: Date.parse('2026-11-22T06:00:00Z'),
      }),
    );
    assert.deepEqual(JSON.parse(last.watermark ?? ''), { at: '2026-11-22T05:55:00.000Z', keys: [] });
    const next = await readSource(create, { watermark: last.watermark });
    assert.deepEqual([next.removedKeys, keysOf(next.taken)], [['a'], ['c']]);
  });

  it("uses the server's clock for the start of the run, however wrong its own is", async () => {
    const { url, state } = await start([property('a', 1), property('b', 0, { ModificationTimestamp: serverTime })]);
    for (const ours of ['2026-11-22T07:00:00Z', '2026-11-22T05:00:00Z']) {
      const { watermark = '' } = await readSource(source(url, { now: () => new Date(ours) }));
      assert.deepEqual(JSON.parse(watermark), { at: '2026-11-22T05:55:00.000Z', keys: [] });
    }
    state.date = '';
    const { watermark = '' } = await readSource(source(url, { now: () => new Date('2026-11-22T05:00:00Z') }));
    assert.deepEqual(JSON.parse(watermark), { at: '2026-11-22T04:55:00.000Z', keys: [] });
  });

  it('keeps its watermark when nothing has changed', async () => {
    const { url } = await start([property('a', 1)]);
    const first = await readSource(source(url));
    assert.equal((await readSource(source(url), first)).watermark, first.watermark);
  });

  it('lists the listings to remove: sold, retired, or no longer to be shown', async () => {
    const { url, state } = await start([property('a', 1)]);
    const { watermark } = await readSource(source(url));
    state.properties = [
      property('sold', 2, { StandardStatus: 'Closed' }),
      property('retired', 3, { MlgCanView: false }),
      property('undisplayed', 4, { InternetEntireListingDisplayYN: false }),
      property('unsaid', 5, { InternetEntireListingDisplayYN: null }),
      property('still', 6),
    ];
    const { taken, removedKeys } = await readSource(source(url), { watermark });
    assert.deepEqual([...removedKeys].sort(), ['retired', 'sold', 'undisplayed', 'unsaid']);
    assert.deepEqual(keysOf(taken), ['still']);
  });

  it('shows a listing only when a server with MlgCanView says yes by it', async () => {
    const flags = [true, 'true', 'True', false, 'false', null, 'perhaps', undefined];
    const listings = flags.map((MlgCanView, index) => property(`${index}`, index, { MlgCanView }));
    const { url } = await start(listings, flags.length);
    const { taken, removedKeys } = await readSource(source(url), { watermark: '2026-11-18' });
    assert.deepEqual(
      [keysOf(taken), removedKeys],
      [
        ['0', '1', '2'],
        ['3', '4', '5', '6', '7'],
      ],
    );
    const unknown = await readSource(source(url, { hasCanView: false }), { watermark: '2026-11-18' });
    assert.ok(keysOf(unknown.taken).includes('7'));
  });

  it('fails the run when no listing of a page has the MlgCanView of its server', async () => {
    const { url } = await start(
      Array.from({ length: 10 }, (_, index) => property(`${index}`, index, { MlgCanView: undefined })),
      10,
    );
    const read = readSource(source(url), { watermark: '2026-11-18' });
    await rejects(read, 'delivery_unreadable', /MlgCanView/);
  });

  it('never stores a listing that may not be displayed', async () => {
    const { url } = await start([
      property('undisplayed', 4, { InternetEntireListingDisplayYN: false }),
      property('b', 5),
    ]);
    assert.deepEqual(keysOf((await readSource(source(url))).taken), ['b']);
  });

  it('omits address and parcel when the seller does not allow them', async () => {
    const suppressed = absent('suppressed_by_policy');
    for (const flag of [false, null, 'perhaps']) {
      const listing = await observe({ InternetAddressDisplayYN: flag });
      assert.deepEqual([listing.address, listing.parcelId], [suppressed, suppressed]);
      await mockServer?.close();
    }
    assert.deepEqual((await observe({ InternetAddressDisplayYN: undefined })).address, known('100 Example Avenue'));
  });

  it('reads values with spaces and in camel case alike', async () => {
    for (const [status, terms, conditions] of [
      ['Active', ['Owner Will Carry', 'Lease Option'], ['Real Estate Owned']],
      ['active', ['OwnerWillCarry', 'LeaseOption'], ['RealEstateOwned']],
      ['Active', 'OwnerWillCarry,LeaseOption', 'RealEstateOwned'],
    ]) {
      const { url } = await start([
        property('a', 1, { StandardStatus: status, ListingTerms: terms, SpecialListingConditions: conditions }),
      ]);
      const { taken } = await readSource(source(url), { watermark: JSON.stringify({ at: '2026', keys: [] }) });
      assert.deepEqual(
        [taken[0]?.terms, taken[0]?.saleCondition],
        [['owner_will_carry', 'lease_option'], 'bank_owned'],
        `${terms}`,
      );
      await mockServer?.close();
    }
  });

  it('uses the strictest of several sale conditions, and rejects a listing with an unknown one', async () => {
    assert.equal((await observe({ SpecialListingConditions: ['Standard', 'Auction'] })).saleCondition, 'auction');
    await mockServer?.close();
    const { url } = await start([property('a', 1, { SpecialListingConditions: ['Standard', 'Moon Sale'] })]);
    const { refused } = await readSource(source(url));
    assert.deepEqual(
      refused.map(({ reject }) => reject),
      ['invalid_value'],
    );
  });

  it('sums the unit mix when the number of units is not stated', async () => {
    const mix = [{ UnitTypeUnitsTotal: 2 }, { UnitTypeUnitsTotal: '3' }, { UnitTypeUnitsTotal: 0 }];
    const listing = await observe({
      NumberOfUnitsTotal: null,
      NumberOfUnitsVacant: null,
      PropertySubType: null,
      UnitTypes: mix,
    });
    assert.deepEqual(
      [listing.units, listing.propertyType, listing.vacancyPct],
      [known(5), known('multifamily_5_plus'), known('5')],
    );
  });

  it('takes the owner to pay the utilities who pays all of them, or electricity and what heats', async () => {
    const cases = [
      [['All Utilities', 'Taxes'], known('owner')],
      [['Electricity', 'FuelOil'], known('owner')],
      ['Electricity, Gas', known('owner')],
      [['Electricity', 'Water'], known('tenant')],
      [['Gas', 'Hot Water'], known('tenant')],
      [['None'], known('tenant')],
      [[], absent('not_stated_by_source')],
      [null, absent('not_stated_by_source')],
    ] as const;
    for (const [OwnerPays, payer] of cases)
      assert.deepEqual((await observe({ OwnerPays })).utilitiesPaidBy, payer, String(OwnerPays));
  });

  it('does not follow a next link to another server', async () => {
    const { url, state } = await start([property('a', 1), property('b', 2), property('c', 3)]);
    state.nextLink = () => 'https://elsewhere.example/Property?$skip=1';
    await rejects(readSource(source(url)), 'upstream_refused', /another server/);
  });

  it('sends nothing to the server of a stored link after another was configured', async () => {
    const old = await start([property('a', 1)]);
    const link = `${old.url}/odata/Property?$skip=1`;
    const cursor = JSON.stringify({ at: '', keys: [], begunAt: 0, link });
    await rejects(source('http://127.0.0.1:1')().fetchPage(cursor), 'upstream_refused', /another server/);
    assert.deepEqual(old.seen, []);
  });

  it('fails the run without a valid token, and on an invalid page', async () => {
    const { url } = await start([]);
    await rejects(readSource(source(url, { secret: 'wrong' })), 'upstream_refused', /401.*key/);
    const other = await startMockServer((_, response) => response.end('<html>maintenance</html>'));
    await rejects(readSource(source(other.url)), 'delivery_unreadable');
    await other.close();
  });

  it('rejects a listing without a key and keeps those beside it', async () => {
    const { url } = await start([property('a', 1, { ListingKey: null }), property('b', 2)]);
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual([keysOf(taken), refused[0]?.reject], [['b'], 'missing_key']);
  });
});
