import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import { createRentcastSource } from '../../../src/sources/formats/rentcast.js';
import { accessTo } from '../access.js';
import { readSource } from '../read-source.js';
import { createTestClock, rejects, type MockServer, startMockServer } from '../upstream/mock-server.js';

type Listing = Record<string, unknown>;

/** A mock server for RentCast: a bare list, 404 for none, 429 when asked too often. */
async function startRentcast(byCity: Record<string, Listing[]>) {
  const state = { limited: 0, ignoresOffset: false };
  const mockServer = await startMockServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://rentcast').searchParams;
    response.setHeader('content-type', 'application/json');
    if (request.headers['x-api-key'] !== 'the-key') {
      response
        .writeHead(401)
        .end(JSON.stringify({ status: 401, error: 'auth/api-key-invalid', message: 'No API key' }));
    } else if (state.limited > 0) {
      state.limited -= 1;
      const message = 'The rate limit of 20 requests per second has been exceeded';
      response.writeHead(429).end(JSON.stringify({ status: 429, error: 'auth/rate-limit-exceeded', message }));
    } else {
      const start = state.ignoresOffset ? 0 : Number(asked.get('offset'));
      const page = (byCity[asked.get('city') ?? ''] ?? []).slice(start, start + Number(asked.get('limit')));
      if (page.length > 0) response.end(JSON.stringify(page));
      else
        response
          .writeHead(404)
          .end(JSON.stringify({ status: 404, error: 'resource/not-found', message: 'No data found' }));
    }
  });
  return { ...mockServer, state };
}

const listing = (id: string, rest: Listing = {}): Listing => ({
  id,
  formattedAddress: '100 Example Ave, Apt 2, Cleveland, OH 44105',
  addressLine1: '100 Example Ave',
  addressLine2: 'Apt 2',
  city: 'Cleveland',
  state: 'OH',
  zipCode: '44105',
  county: 'Cuyahoga',
  propertyType: 'Multi-Family',
  bedrooms: 8,
  yearBuilt: 1920,
  status: 'Active',
  price: 289000,
  listingType: 'Standard',
  mlsName: 'ExampleMLS',
  ...rest,
});

describe('createRentcastSource', () => {
  let mockServer: MockServer | undefined;
  afterEach(() => mockServer?.close());

  async function start(byCity: Record<string, Listing[]>) {
    const rentcast = await startRentcast(byCity);
    mockServer = rentcast;
    return rentcast;
  }
  const cleveland = { city: 'Cleveland', state: 'OH' };
  const source =
    (url: string, places = [cleveland], secret = 'the-key', clock = createTestClock()) =>
    () =>
      createRentcastSource({ ...accessTo(url, {}, clock), secret, marketplace: 'RentCast', places });

  it('takes where a listing lies', async () => {
    const place = { latitude: 41.5, longitude: -81.6 };
    const { url } = await start({ Cleveland: [listing('a', place), listing('b')] });
    const { taken } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ location }) => location),
      [place, undefined],
    );
  });

  it('reads a listing, and marks unpublished fields', async () => {
    const { url, seen } = await start({ Cleveland: [listing('a')] });
    const { taken } = await readSource(source(url));
    const [first] = taken;
    assert.deepEqual(
      [first?.sourceKey, first?.marketplace, first?.address, first?.city, first?.zip, first?.county, first?.listPrice],
      [
        'a',
        'ExampleMLS',
        known('100 Example Ave Apt 2'),
        'Cleveland',
        known('44105'),
        known('Cuyahoga'),
        known('289000'),
      ],
    );
    const none = absent('not_published_by_source');
    for (const field of [
      'units',
      'noi',
      'capRate',
      'listingUrl',
      'parcelId',
      'taxes',
      'propertyType',
      'remarks',
    ] as const) {
      assert.deepEqual(first?.[field], none, field);
    }
    assert.match(
      seen[0] ?? '',
      /\/v1\/listings\/sale\?city=Cleveland&state=OH&propertyType=Multi-Family&status=Active&limit=500&offset=0/,
    );
  });

  it('reads city after city, page after page, and treats a 404 as none', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => listing(`k${index}`));
    const { url, seen } = await start({ Cleveland: many, Dayton: [listing('d', { city: 'Dayton' })] });
    const places = [cleveland, { city: 'Nowhere', state: 'OH' }, { city: 'Dayton', state: 'OH' }];
    const { taken } = await readSource(source(url, places));
    assert.deepEqual([taken.length, taken.at(-1)?.sourceKey, seen.length], [1_001, 'd', 5]);
  });

  it('fails the run when a listing appears or disappears between two pages, or every page is the first', async () => {
    const many = Array.from({ length: 501 }, (_, index) => listing(`k${index}`));
    const [, ...fewer] = many;
    for (const after of [fewer, fewer.slice(3), [listing('new'), ...many], []]) {
      const byCity = { Cleveland: many };
      const { url } = await start(byCity);
      const first = await source(url)().fetchPage(undefined);
      byCity.Cleveland = after;
      await rejects(source(url)().fetchPage(first.nextCursor), 'delivery_changed', /next run reads them whole/);
      await mockServer?.close();
    }
    const { url, state } = await start({ Cleveland: many });
    state.ignoresOffset = true;
    await rejects(readSource(source(url)), 'delivery_changed');
  });

  it('waits and retries after a 429', async () => {
    const { url, state } = await start({ Cleveland: [listing('a')] });
    state.limited = 2;
    const clock = createTestClock();
    assert.equal((await readSource(source(url, [cleveland], 'the-key', clock))).taken.length, 1);
    assert.deepEqual(clock.slept, [1000, 2000]);
  });

  it('fails the run with a wrong key, and with an address other than RentCast', async () => {
    const { url } = await start({});
    await rejects(readSource(source(url, [cleveland], 'wrong')), 'upstream_refused', /401/);
    const other = await startMockServer((_, response) => response.writeHead(404).end('<html>'));
    await rejects(readSource(source(other.url)), 'upstream_refused', /not RentCast's/);
    await other.close();
  });

  it('omits inactive listings, and rejects unidentifiable ones', async () => {
    const { url } = await start({
      Cleveland: [listing('a', { status: 'Inactive' }), listing(''), listing('c', { city: null })],
    });
    const { taken, refused } = await readSource(source(url));
    assert.equal(taken.length, 0);
    assert.deepEqual(
      refused.map(({ reject }) => reject),
      ['missing_key', 'missing_city'],
    );
  });

  it('states the kind of sale', async () => {
    const kinds = ['Standard', 'Foreclosure', 'Short Sale', 'New Construction'];
    const { url } = await start({ Cleveland: kinds.map((kind, index) => listing(`${index}`, { listingType: kind })) });
    const { taken } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ saleCondition }) => saleCondition),
      ['standard', 'bank_owned', 'short_sale', 'standard'],
    );
  });
});
