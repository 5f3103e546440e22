import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { RecordMapping } from '../../../src/sources/formats/record-mapping.js';
import { createSocrataSource, type SocrataSource } from '../../../src/sources/formats/socrata.js';
import { accessTo } from '../access.js';
import { readSource } from '../read-source.js';
import { rejects, type MockServer, startMockServer } from '../upstream/mock-server.js';

type Row = Record<string, unknown>;

/** A mock Socrata server: unordered without `$order`, numbers as text, absent cells omitted, 202 while it works. */
async function startSocrata(datasets: Record<string, Row[]>) {
  const state = { pending: 0, ignoresOffset: false, modified: 'Sat, 21 Nov 2026 10:00:00 GMT', calls: 0 };
  const mockServer = await startMockServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://socrata');
    const asked = url.searchParams;
    if (state.pending > 0) {
      state.pending -= 1;
      response.writeHead(202).end();
      return;
    }
    state.calls += 1;
    if (request.headers['if-modified-since'] === state.modified) {
      response.writeHead(304, { 'last-modified': state.modified }).end();
      return;
    }
    const rows = datasets[/resource\/(.+)\.json/.exec(url.pathname)?.[1] ?? ''] ?? [];
    const columns = (asked.get('$select') ?? '').split(',').map((name) => name.replaceAll('`', ''));
    const unknown = columns.find((name) => !rows.some((row) => name in row));
    response.setHeader('content-type', 'application/json;charset=utf-8');
    if (unknown !== undefined) {
      const body = { code: 'query.soql.no-such-column', error: true, message: `No such column: ${unknown}`, data: {} };
      response.writeHead(400).end(JSON.stringify(body));
      return;
    }
    const wanted = /`?pin`? in \((.*)\)/
      .exec(asked.get('$where') ?? '')?.[1]
      ?.replaceAll("'", '')
      .split(',');
    const matching = rows.filter((row) => wanted === undefined || wanted.includes(String(row.pin)));
    // Without `$order` each page has its own order.
    const ordered = asked.get('$order') === ':id' ? matching : [...matching].sort(() => (state.calls % 2) - 0.5);
    const start = state.ignoresOffset ? 0 : Number(asked.get('$offset'));
    const page = ordered.slice(start, start + Number(asked.get('$limit')));
    response.setHeader('x-soda2-truth-last-modified', state.modified);
    response.end(JSON.stringify(page.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])))));
  });
  return { ...mockServer, state };
}

const sale = (pin: string, rest: Row = {}): Row => ({
  tax_sale_year: '2024',
  pin,
  classification: '211',
  sold_at_sale: false,
  total_tax_and_penalty_amount_offered: '125.36',
  ...rest,
});
const owner = (pin: string, rest: Row = {}): Row => ({
  pin,
  prop_address_full: '100 N EXAMPLE AVE',
  prop_address_city_name: 'CHICAGO',
  prop_address_zipcode_1: '60619',
  owner_address_name: 'EXAMPLE HOLDINGS LLC',
  ...rest,
});
const mapping: RecordMapping = {
  countyFips: '17031',
  state: 'IL',
  key: ['pin', 'tax_sale_year'],
  columns: {
    parcelId: 'pin',
    ownerName: 'owner_address_name',
    amount: 'total_tax_and_penalty_amount_offered',
    listYear: 'tax_sale_year',
    address: 'prop_address_full',
    city: 'prop_address_city_name',
    zip: 'prop_address_zipcode_1',
  },
  constants: {},
  flags: {},
  recordUrl: 'https://county.example/pin/{pin}',
};
const join = {
  dataset: 'ownr-0001',
  key: 'pin',
  pattern: undefined,
  columns: ['prop_address_full', 'prop_address_city_name', 'prop_address_zipcode_1', 'owner_address_name'],
  where: undefined,
};

describe('createSocrataSource', () => {
  let mockServer: Awaited<ReturnType<typeof startSocrata>> | undefined;
  afterEach(() => mockServer?.close());

  async function start(
    datasets: Record<string, Row[]>,
  ): Promise<MockServer & { state: { pending: number; ignoresOffset: boolean; modified: string } }> {
    mockServer = await startSocrata(datasets);
    return mockServer;
  }
  const source =
    (baseUrl: string, rest: Partial<SocrataSource<'signals'>> = {}) =>
    () =>
      createSocrataSource({
        ...accessTo(baseUrl),
        delivers: 'signals' as const,
        dataset: 'sale-0001',
        where: undefined,
        mapping,
        join,
        ...rest,
      });

  it('reads an annual tax sale, completed with owner and address by parcel, dashed there and bare here', async () => {
    const { url } = await start({
      'sale-0001': [
        sale('07-18-411-025-0000'),
        sale('25-01-100-001-0000', { total_tax_and_penalty_amount_offered: '9000' }),
      ],
      'ownr-0001': [owner('07184110250000'), owner('25011000010000', { owner_address_name: 'DOE JANE' })],
    });
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual(refused, []);
    assert.deepEqual(taken[0], {
      sourceKey: '07-18-411-025-0000/2024',
      signalType: 'tax_delinquent',
      countyFips: '17031',
      state: 'IL',
      address: known('100 N EXAMPLE AVE'),
      city: known('CHICAGO'),
      zip: known('60619'),
      ownerName: 'EXAMPLE HOLDINGS LLC',
      parcelId: '07-18-411-025-0000',
      amount: '125.36',
      sourceUrl: 'https://county.example/pin/07-18-411-025-0000',
      yearsOwed: absent('not_published_by_source'),
      taxSaleDate: absent('not_published_by_source'),
      assessedValue: absent('not_published_by_source'),
      sourcePublishedAt: absent('not_published_by_source'),
      listYear: known(2024),
    });
    assert.equal(taken[1]?.ownerName, 'DOE JANE');
  });

  it('queries the second dataset in its own notation when that is the dashed one', async () => {
    const { url } = await start({ 'sale-0001': [sale('07184110250000')], 'ownr-0001': [owner('07-18-411-025-0000')] });
    const dashed = { ...join, pattern: '##-##-###-###-####' };
    const { taken } = await readSource(source(url, { join: dashed }));
    assert.equal(taken[0]?.ownerName, 'EXAMPLE HOLDINGS LLC');
  });

  it('rejects a row without an owner, and one without debt, and keeps the rows beside them', async () => {
    const { url } = await start({
      'sale-0001': [sale('1'), sale('2'), sale('3', { total_tax_and_penalty_amount_offered: '0.00' })],
      'ownr-0001': [owner('1'), owner('3')],
    });
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ parcelId }) => parcelId),
      ['1'],
    );
    assert.deepEqual(
      refused.map(({ reject, key }) => [reject, key]),
      [
        ['missing_owner', '2/2024'],
        ['not_relevant', '3/2024'],
      ],
    );
  });

  it('reads every row once over many pages, though the server has no order of its own', async () => {
    const pins = Array.from({ length: 2_300 }, (_, index) => `${100_000 + index}`);
    const { url, seen } = await start({
      'sale-0001': pins.map((pin) => sale(pin, { owner_address_name: 'DOE JANE' })),
    });
    const { address: _address, city: _city, zip: _zip, ...columns } = mapping.columns;
    const { taken, pages } = await readSource(source(url, { join: undefined, mapping: { ...mapping, columns } }));
    assert.deepEqual(
      taken.map(({ parcelId }) => parcelId),
      pins,
    );
    assert.equal(pages.length, 3);
    assert.ok(seen.every((line) => line.includes('%24order=%3Aid')));
  });

  it('retries while the server answers 202 with an empty body', async () => {
    const { url, state } = await start({ 'sale-0001': [sale('1')], 'ownr-0001': [owner('1')] });
    state.pending = 2;
    assert.equal((await readSource(source(url))).taken.length, 1);
  });

  it('fails the run when the server never becomes ready, instead of reading an empty table', async () => {
    const { url, state } = await start({ 'sale-0001': [sale('1')] });
    state.pending = 100;
    await rejects(readSource(source(url)), 'upstream_not_ready');
  });

  it('fails the run when a mapped column is missing, with the code and never the query', async () => {
    const { url } = await start({ 'sale-0001': [{ pin: '1', tax_sale_year: '2024', renamed: '5' }] });
    await rejects(readSource(source(url)), 'upstream_refused', /no-such-column\).*Correct the mapping/);
  });

  it('fails the run when the table changes between two pages', async () => {
    const pins = Array.from({ length: 1_000 }, (_, index) => `${index + 1}`);
    const { url, state } = await start({ 'sale-0001': pins.map((pin) => sale(pin)), 'ownr-0001': [owner('1')] });
    const first = await source(url)().fetchPage(undefined);
    state.modified = 'Sun, 22 Nov 2026 10:00:00 GMT';
    await rejects(source(url)().fetchPage(first.nextCursor), 'delivery_changed');
  });

  it('fails the run when the server, or a cache before it, always returns the first page', async () => {
    const pins = Array.from({ length: 1_000 }, (_, index) => `${index + 1}`);
    const { url, state } = await start({
      'sale-0001': pins.map((pin) => sale(pin)),
      'ownr-0001': pins.map(() => owner('1')),
    });
    state.ignoresOffset = true;
    const plain = source(url, { join: undefined, mapping: { ...mapping, columns: { parcelId: 'pin' } } });
    await rejects(readSource(plain), 'delivery_unreadable', /same page again/);
    await rejects(source(url)().fetchPage(undefined), 'delivery_unreadable', /same page again/);
  });

  it('reports by the same etag, without rows, that the server has no changes', async () => {
    const { url, state } = await start({ 'sale-0001': [sale('1', { owner_address_name: 'DOE JANE' })] });
    const columns = {
      parcelId: 'pin',
      ownerName: 'owner_address_name',
      amount: 'total_tax_and_penalty_amount_offered',
    };
    const plain = source(url, { join: undefined, mapping: { ...mapping, columns } });
    const etag = (await readSource(plain)).pages[0]?.etag;
    const again = await readSource(plain, { knownEtag: etag });
    assert.deepEqual([again.pages[0]?.etag, again.pages[0]?.rows.length], [etag, 0]);
    state.modified = 'Sun, 22 Nov 2026 10:00:00 GMT';
    assert.equal((await readSource(plain, { knownEtag: etag })).taken.length, 1);
  });

  it('sends its application token', async () => {
    const { url, requests } = await start({ 'sale-0001': [sale('1')], 'ownr-0001': [owner('1')] });
    await readSource(source(url, { secret: 'the-token' }));
    assert.ok(requests.every(({ headers }) => headers['x-app-token'] === 'the-token'));
  });

  it('delivers a parcel roll, whose parcels may have no address', async () => {
    const { url } = await start({ 'sale-0001': [owner('1'), owner('2', { prop_address_full: undefined })] });
    const { taken } = await readSource(() =>
      createSocrataSource({
        ...accessTo(url),
        delivers: 'parcels',
        dataset: 'sale-0001',
        where: undefined,
        join: undefined,
        mapping: {
          ...mapping,
          key: ['pin'],
          columns: { parcelId: 'pin', ownerName: 'owner_address_name', address: 'prop_address_full' },
        },
      }),
    );
    assert.deepEqual(
      taken.map(({ address }) => address),
      [known('100 N EXAMPLE AVE'), absent('no_situs_address')],
    );
  });
});
