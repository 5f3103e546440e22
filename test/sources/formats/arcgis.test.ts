import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import { readSource } from '../read-source.js';
import { type Attributes, columns, layerAt as source, mapping, row, startArcgis } from './mock-arcgis.js';
import { rejects, type MockServer } from '../upstream/mock-server.js';

describe('createArcgisSource', () => {
  let mockServer: MockServer | undefined;
  afterEach(() => mockServer?.close());

  async function start(rows: Attributes[], most?: number) {
    const arcgis = await startArcgis(rows, most);
    mockServer = arcgis;
    return arcgis;
  }
  it('reads a delinquency as the county states it', async () => {
    const { url } = await start([row(1)]);
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual(refused, []);
    assert.deepEqual(taken[0], {
      sourceKey: '041041',
      signalType: 'tax_delinquent',
      countyFips: '42101',
      state: 'PA',
      address: known('100 EXAMPLE ST'),
      city: known('Philadelphia'),
      zip: known('19139'),
      ownerName: 'EXAMPLE OWNER LLC',
      parcelId: '041041',
      amount: '4041.05',
      sourceUrl: 'https://county.example/041041',
      yearsOwed: known(7),
      taxSaleDate: absent('not_stated_by_source'),
      assessedValue: absent('not_published_by_source'),
      sourcePublishedAt: absent('not_published_by_source'),
      listYear: known(2026),
    });
  });

  it('takes the point of a feature where a column is mapped to the location', async () => {
    const { url } = await start([row(1, { geometry: { x: -75.2, y: 39.9 } }), row(2, { geometry: null })]);
    const located = { ...mapping, columns: { ...mapping.columns, location: 'shape' } };
    const { taken } = await readSource(source(url, { mapping: located }));
    assert.deepEqual(
      taken.map(({ location }) => location),
      [{ latitude: 39.9, longitude: -75.2 }, undefined],
    );
  });

  it('continues while the service reports more rows', async () => {
    const { url, seen } = await start([1, 2, 3, 4, 5].map((id) => row(id)));
    const { taken, pages } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ sourceKey }) => sourceKey),
      ['041041', '041042', '041043', '041044', '041045'],
    );
    assert.equal(pages.length, 3);
    const asked = seen.filter((line) => line.includes('resultOffset'));
    assert.ok(asked.every((line) => line.includes('orderByFields=objectid+ASC')));
  });

  const changes: Record<string, (rows: Attributes[], state: { editedAt: number | undefined }) => void> = {
    'was edited, as it says': (rows, state) => {
      Object.assign(rows[0] ?? {}, { total_due: 1 });
      state.editedAt = 2;
    },
    'has lost a row': (rows) => void rows.shift(),
    'has gained a row': (rows) => void rows.push(row(9)),
    'was loaded anew': (rows) => void rows.splice(0, rows.length, ...[11, 12, 13].map((id) => row(id))),
    'is empty': (rows) => void rows.splice(0),
  };
  for (const [what, change] of Object.entries(changes))
    it(`fails the run when the layer ${what} between two pages`, async () => {
      const rows = [1, 2, 3].map((id) => row(id));
      const { url, state } = await start(rows);
      if (what.includes('says')) state.editedAt = 1;
      const first = await source(url)().fetchPage(undefined);
      change(rows, state);
      await rejects(source(url)().fetchPage(first.nextCursor), 'delivery_changed', /next run reads it whole/);
    });

  it('fails the run when the service, or a cache before it, always returns the first page', async () => {
    const { url, state } = await start([1, 2, 3].map((id) => row(id)));
    state.ignoresOffset = true;
    await rejects(readSource(source(url)), 'delivery_unreadable', /same page again/);
  });

  it('lists the row ids only when the layer has no edit date, before the first page and after the last', async () => {
    const { url, state, seen } = await start([1, 2, 3].map((id) => row(id)));
    const askedFor = () =>
      seen.splice(0).map((line) => /returnIdsOnly|returnCountOnly|resultOffset=\d+/.exec(line)?.[0] ?? 'description');
    await readSource(source(url));
    assert.deepEqual(askedFor(), [
      ...['description', 'returnIdsOnly', 'returnCountOnly', 'resultOffset=0', 'resultOffset=2'],
      ...['description', 'returnIdsOnly'],
    ]);
    state.editedAt = 1;
    await readSource(source(url));
    assert.deepEqual(askedFor(), [
      ...['description', 'returnCountOnly', 'resultOffset=0', 'resultOffset=2', 'description'],
    ]);
  });

  it('treats an error inside status 200 as an error', async () => {
    const { url, state } = await start([row(1)]);
    state.errors = [{ code: 400, message: 'Unable to complete operation.', details: ['secret detail'] }];
    await rejects(readSource(source(url)), 'upstream_refused', /^(?!.*secret).*error 400 with status 200/);
    state.errors = [{ code: 499, message: 'Token Required' }];
    await rejects(readSource(source(url)), 'upstream_refused', /token/);
  });

  it('retries when the error inside status 200 is temporary', async () => {
    const { url, state } = await start([row(1)]);
    state.errors = [
      { code: 504, message: 'Timeout' },
      { code: 429, message: 'Too many' },
    ];
    assert.equal((await readSource(source(url))).taken.length, 1);
  });

  it('fails the run when a mapped column is missing', async () => {
    const { owner: _owner, ...others } = columns;
    const { url, state } = await start([]);
    state.types = others;
    await rejects(readSource(source(url)), 'delivery_unreadable', /"owner"/);
  });

  it('fails the run when the service promises more rows and returns none', async () => {
    const { url, state } = await start([row(1)]);
    Object.assign(state, { lies: true, count: undefined });
    await rejects(readSource(source(url)), 'delivery_unreadable');
  });

  it("reads days from epoch milliseconds: unchanged at midnight UTC, else in the county's time zone", async () => {
    const { url } = await start(
      [
        row(1, { sale_date: Date.parse('2026-12-14T00:00:00Z') }),
        row(2, { sale_date: Date.parse('2026-12-14T05:00:00Z') }),
        row(3, { sale_date: Date.parse('2026-12-15T02:30:00Z') }),
      ],
      10,
    );
    const { taken } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ taxSaleDate }) => taxSaleDate),
      Array(3).fill(known('2026-12-14')),
    );
  });

  it("reads the list's publication time from epoch milliseconds, exactly", async () => {
    const instant = '2026-11-21T03:00:00.000Z';
    const { url } = await start([row(1, { sale_date: Date.parse(instant) }), row(2, { sale_date: 8.7e15 })]);
    const { taxSaleDate: _, ...others } = mapping.columns;
    const dated = { ...mapping, columns: { ...others, publishedAt: 'sale_date' } };
    const { taken } = await readSource(source(url, { mapping: dated }));
    assert.deepEqual(
      taken.map(({ sourcePublishedAt }) => sourcePublishedAt),
      [known(new Date(instant)), absent('parse_failed')],
    );
  });

  it("reads 'true', 'Y' and 1 as yes, omits rows with another flag, and rejects unknown values", async () => {
    const flags = ['false', 'N', 0, 'true', 'Y', 1, 'perhaps', null];
    const { url } = await start(
      flags.map((flag, index) => row(index, { payment_agreement: flag })),
      20,
    );
    const { taken, refused } = await readSource(source(url));
    assert.equal(taken.length, 3);
    assert.deepEqual(
      refused.map(({ reject }) => reject),
      ['not_relevant', 'not_relevant', 'not_relevant', 'invalid_value', 'invalid_value'],
    );
  });

  it('rejects rows without parcel, owner or an amount of a cent, and reads amounts summed as binary fractions', async () => {
    const { url } = await start(
      [
        row(1, { owner: ' ' }),
        row(2, { total_due: null }),
        row(3, { total_due: 4041.0499999999997 }),
        row(4, { total_due: 0 }),
        row(5, { total_due: '0.004' }),
        row(6, { total_due: '0.005' }),
      ],
      10,
    );
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ amount }) => amount),
      ['4041.05', '0.01'],
    );
    assert.deepEqual(
      refused.map(({ reject }) => reject),
      ['missing_owner', 'missing_amount', 'not_relevant', 'not_relevant'],
    );
  });
});
