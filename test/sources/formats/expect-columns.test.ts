import assert from 'node:assert/strict';
import { createRentcastSource } from '../../../src/sources/formats/rentcast.js';
import { createResoSource } from '../../../src/sources/formats/reso-odata.js';
import type { PagedSource } from '../../../src/sources/source.js';
import { accessTo } from '../access.js';
import { createDropRoot, loadOnly, plainManifest, readAll, readOutcome, testNow, writeFeed } from './drop-feed.js';
import { readSource } from '../read-source.js';
import { rejects, type MockServer, startMockServer } from '../upstream/mock-server.js';

type Row = Readonly<Record<string, unknown>>;

const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
const tenOf = (toRow: (id: string, index: number) => Row) =>
  Array.from({ length: 10 }, (_, index) => toRow(`k${index}`, index));

interface Kind {
  readonly kind: string;
  readonly create: (url: string) => PagedSource<'listings'>;
  readonly row: (id: string, index: number) => Row;
  readonly render: (rows: readonly Row[]) => unknown;
  /** The required columns of a page, each with all of its names. */
  readonly columns: readonly (readonly string[])[];
}

const reso: Kind = {
  kind: 'reso-odata',
  create: (url) =>
    createResoSource({ ...accessTo(url), marketplace: 'Example MLS', filter: undefined, hasCanView: false }),
  row: (id, index) => ({
    ListingKey: id,
    StandardStatus: 'Active',
    ListPrice: 289000,
    UnparsedAddress: '100 Example Ave, Cleveland, OH 44105',
    StreetName: 'Example',
    City: 'Cleveland',
    StateOrProvince: 'OH',
    ModificationTimestamp: `2026-11-18T09:0${index}:31.120Z`,
  }),
  render: (value) => ({ value }),
  columns: [
    ['ListingKey'],
    ['StandardStatus'],
    ['ModificationTimestamp'],
    ['ListPrice'],
    ['UnparsedAddress', 'StreetName'],
  ],
};

const rentcast: Kind = {
  kind: 'rentcast',
  create: (url) =>
    createRentcastSource({
      ...accessTo(url),
      marketplace: 'RentCast',
      places: [{ city: 'Cleveland', state: 'OH' }],
    }),
  row: (id) => ({
    id,
    addressLine1: '1 Main St',
    city: 'Cleveland',
    state: 'OH',
    price: 289000,
    status: 'Active',
  }),
  render: (rows) => rows,
  columns: [['id'], ['status'], ['addressLine1'], ['price']],
};

describe('expectColumns', () => {
  let mockServer: MockServer | undefined;
  afterEach(() => mockServer?.close());

  const serve = async ({ create, render }: Kind, rows: readonly Row[]) => {
    await mockServer?.close();
    mockServer = await startMockServer((_, response) => response.end(JSON.stringify(render(rows))));
    const { url } = mockServer;
    return () => create(url);
  };

  for (const kind of [reso, rentcast]) {
    for (const names of kind.columns) {
      it(`fails a run of ${kind.kind} when no row of a page has ${names.join(' or ')} any more`, async () => {
        const renamed = tenOf((id, index) => without(kind.row(id, index), names));
        const named = new RegExp(names.map((name) => `"${name}"`).join(' or '));
        await rejects(readSource(await serve(kind, renamed)), 'delivery_unreadable', named);
      });

      it(`accepts rows of ${kind.kind} without ${names.join(' or ')} beside one that has it`, async () => {
        const rows = tenOf((id, index) => (index === 0 ? kind.row(id, index) : without(kind.row(id, index), names)));
        const { taken } = await readSource(await serve(kind, rows));
        assert.equal(taken[0]?.sourceKey, 'k0');
      });
    }

    it(`accepts a few rows of ${kind.kind} without a price as rows without a price`, async () => {
      const rows = tenOf((id, index) => without(kind.row(id, index), ['price', 'ListPrice'])).slice(1);
      assert.equal((await readSource(await serve(kind, rows))).taken.length, 9);
    });
  }

  it('accepts listings of reso-odata with a suppressed place, and drops those with little but a key', async () => {
    const suppressed = tenOf((id, index) => ({
      ...without(reso.row(id, index), ['UnparsedAddress', 'StreetName']),
      InternetAddressDisplayYN: false,
    }));
    const closed = tenOf((id, index) => ({
      ...without(reso.row(`closed ${id}`, index), ['ListPrice', 'UnparsedAddress', 'StreetName']),
      StandardStatus: 'Closed',
    }));
    const { taken, removedKeys } = await readSource(await serve(reso, [...suppressed, ...closed]));
    assert.deepEqual([taken.length, removedKeys.length], [10, 10]);
  });

  for (const [format, render] of [
    ['ndjson', (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')],
    ['json', (rows: readonly Row[]) => JSON.stringify(rows)],
  ] as const) {
    it(`fails a delivery of ${format} when no row of a page has a mapped price, address or key`, async () => {
      const { root, remove } = await createDropRoot();
      const deliver = (rows: readonly Row[]) =>
        writeFeed(
          root,
          'feed',
          { ...plainManifest, format, file: `deals.${format}` },
          {
            [`deals.${format}`]: render(rows),
          },
        );
      const row = (id: string) => ({ id, street: '1 Main St', city: 'Cleveland', state: 'OH', price: 250000 });
      for (const column of ['price', 'street', 'id']) {
        const renamed = tenOf((id) => without(row(id), [column]));
        await deliver(renamed);
        const source = await loadOnly(root, testNow);
        await rejects(readAll(source), 'delivery_unreadable', new RegExp(`"${column}"`));
        await deliver([...renamed, row('whole')]);
        assert.equal((await readOutcome(root)).taken.at(-1), 'whole');
      }
      await remove();
    });
  }
});
