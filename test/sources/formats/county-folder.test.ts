import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import { createDropFolder } from '../../../src/sources/formats/drop-folder.js';
import { readDropManifest } from '../../../src/sources/formats/drop-manifest.js';
import { loadDropFolder } from '../../../src/sources/formats/load-drop-folder.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import { openTestDatabase } from '../../support/database.js';
import { ingestOptions, setDay } from '../ingest/scripted-source.js';
import { renderWorkbook } from '../read/render-workbook.js';
import { readSource } from '../read-source.js';
import { rejects } from '../upstream/mock-server.js';
import { createDropRoot, plainHeader, plainManifest, testNow, writeFeed } from './drop-feed.js';

const licence = { class: 'public_record', mayStore: true, mayResell: true, attribution: 'County treasurer' };
const common = {
  name: 'county',
  format: 'csv',
  file: 'rows.csv',
  licence,
  county: { fips: '39035', state: 'OH' },
  recordUrl: 'https://county.example/{Parcel}',
  demonstration: false,
};
const taxes = {
  ...common,
  delivers: 'signals',
  key: ['Parcel', 'Year'],
  columns: { parcelId: 'Parcel', ownerName: 'Owner', amount: 'Owed', address: 'Situs', zip: 'Zip', listYear: 'Year' },
  constants: { city: 'Cleveland' },
  flags: { Paid: false },
};
const roll = {
  ...common,
  delivers: 'parcels',
  key: ['Parcel'],
  columns: { parcelId: 'Parcel', ownerName: 'Owner', address: 'Situs', zip: 'Zip' },
};
const sales = {
  ...common,
  delivers: 'auctions',
  key: ['Case'],
  columns: {
    ...{ caseNumber: 'Case', saleDate: 'Day', address: 'Situs', city: 'City', zip: 'Zip', openingBid: 'Bid' },
    ...{ appraisedValue: 'Appraisal', plaintiff: 'Plaintiff', defendant: 'Defendant', saleStatus: 'Status' },
  },
  recordUrl: 'https://county.example/{Case}',
};
const header = 'Parcel,Year,Owner,Owed,Situs,Zip,Paid\n';
const owing = (parcel: string, owed = '$4,041.05', paid = 'N') =>
  `${parcel},2025,EXAMPLE OWNER LLC,"${owed}",100 Example Ave,44105,${paid}\n`;

describe("a drop folder of a county's records", () => {
  let root: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ root, remove } = await createDropRoot());
  });
  afterEach(() => remove());

  const open = async (manifest: { readonly file: string }, content: string | Buffer) => {
    const directory = await writeFeed(root, 'county', manifest, { [manifest.file]: content });
    return createDropFolder({ directory, manifest: await readDropManifest(directory), now: () => testNow });
  };
  const read = async (manifest: { readonly file: string }, content: string | Buffer) => {
    const source = await open(manifest, content);
    if (source.delivers === 'listings') assert.fail('of listings');
    const { pages, taken, refused } =
      source.delivers === 'signals'
        ? await readSource(() => source)
        : source.delivers === 'parcels'
          ? await readSource(() => source)
          : await readSource(() => source);
    return { source, taken, refused: refused.map(({ reject }) => reject), problem: pages[0]?.problem };
  };

  it('brings unpaid taxes, in the words of the sources over HTTP', async () => {
    const { source, taken, refused, problem } = await read(taxes, header + owing('131-01-001') + owing('2', '5', 'Y'));
    assert.deepEqual(
      [source.delivers, source.covers, source.licence.attribution, refused, problem],
      ['signals', ['39035'], 'County treasurer', ['not_relevant'], undefined],
    );
    assert.deepEqual(taken, [
      {
        sourceKey: '131-01-001/2025',
        signalType: 'tax_delinquent',
        countyFips: '39035',
        state: 'OH',
        address: known('100 Example Ave'),
        city: known('Cleveland'),
        zip: known('44105'),
        ownerName: 'EXAMPLE OWNER LLC',
        parcelId: '131-01-001',
        amount: '4041.05',
        sourceUrl: 'https://county.example/131-01-001',
        yearsOwed: absent('not_published_by_source'),
        taxSaleDate: absent('not_published_by_source'),
        assessedValue: absent('not_published_by_source'),
        sourcePublishedAt: absent('not_published_by_source'),
        listYear: known(2025),
      },
    ]);
  });

  it('brings a parcel roll', async () => {
    const { taken } = await read(roll, 'Parcel,Owner,Situs,Zip\n1-1,EXAMPLE LLC,1 Main St,44105\n1-2,,,\n');
    assert.deepEqual(
      taken.map((parcel) => [parcel.sourceKey, parcel.address]),
      [
        ['1-1', known('1 Main St')],
        ['1-2', absent('no_situs_address')],
      ],
    );
  });

  it("brings sheriff's sales, read as their pages are", async () => {
    const rows = [
      'Case,Day,Situs,City,Zip,Bid,Appraisal,Plaintiff,Defendant,Status',
      'CV-1,14-Dec-2026,1 Main St (PARCEL 1),Cleveland,44105,"$60,000 plus costs",90K,BANK,DOE,Scheduled',
      'CV-2,01/01/1900,2 Main St,Cleveland,44105,,,,,',
    ];
    const { taken, refused } = await read(sales, `${rows.join('\n')}\n`);
    assert.deepEqual(refused, ['missing_date']);
    const [sale] = taken;
    if (sale === undefined || !('saleDate' in sale)) assert.fail(JSON.stringify(sale));
    assert.deepEqual(
      [sale.sourceKey, sale.saleDate, sale.address, sale.city, sale.zip, sale.openingBid, sale.appraisedValue],
      ['CV-1', '2026-12-14', known('1 Main St'), known('Cleveland'), known('44105'), known('60000'), known('90000')],
    );
    assert.deepEqual(
      [sale.saleStatus, sale.plaintiff, sale.parcelId, sale.sourceUrl],
      ['scheduled', known('BANK'), absent('not_published_by_source'), 'https://county.example/CV-1'],
    );
  });

  const sheetOf = (lines: readonly (readonly (string | number)[])[]) => Buffer.from(renderWorkbook([lines]));
  const xlsx = { format: 'xlsx', file: 'rows.xlsx' };

  it('reads a workbook with titles, numbers and short lines like CSV', async () => {
    const lines = [
      ['Delinquent taxes of November'],
      ['parcel', 'YEAR', 'Owner', 'Owed', 'Situs', 'Zip', 'Paid'],
      ['131-01-001', 2025, 'EXAMPLE OWNER LLC', 4041.05, '100 Example Ave', 44105, 'N'],
      ['131-01-002', 2025, 'EXAMPLE OWNER LLC', 12, '', '', 'N'],
    ];
    const { taken, refused } = await read({ ...taxes, ...xlsx }, sheetOf(lines));
    assert.deepEqual(refused, []);
    assert.deepEqual(
      taken.map((signal) => ['amount' in signal ? signal.amount : '', signal.sourceKey, signal.zip]),
      [
        ['4041.05', '131-01-001/2025', known('44105')],
        ['12', '131-01-002/2025', absent('not_stated_by_source')],
      ],
    );
  });

  it('reads a workbook of listings, and refuses a file that is none', async () => {
    const manifest = { ...plainManifest, ...xlsx };
    const lines = [plainHeader.trim().split(','), ['a', '1 Main St', 'Cleveland', 'OH', 44105, 250000, 4]];
    const source = await open(manifest, sheetOf(lines));
    assert.equal(source.delivers, 'listings');
    const { taken } = source.delivers === 'listings' ? await readSource(() => source) : { taken: [] };
    assert.deepEqual([taken[0]?.sourceKey, taken[0]?.listPrice, taken[0]?.units], ['a', known('250000'), known(4)]);
    await rejects(read({ ...taxes, ...xlsx }, 'PK\x03\x04 no workbook'), 'delivery_unreadable');
  });

  it('fails without a column that its records need, and tells of any other that is missing', async () => {
    await rejects(read(taxes, (header + owing('1')).replace('Owner', 'Owners')), 'delivery_unreadable', /"Owner"/);
    const { taken, problem } = await read(taxes, (header + owing('1')).replace('Situs', 'Sites'));
    assert.match(problem ?? '', /No row has the mapped column "Situs" \(the nearest is "Sites"\)/);
    assert.deepEqual(taken[0]?.address, absent('not_published_by_source'));
  });

  it('is refused with each fault of its manifest', async () => {
    const { ownerName: _, ...ownerless } = taxes.columns;
    const faults: Readonly<Record<string, readonly [object, RegExp]>> = {
      ownerless: [{ ...taxes, columns: ownerless }, /columns\.ownerName: must name a column/],
      elsewhere: [{ ...taxes, county: { fips: '42101', state: 'OH' } }, /must lie in the state/],
      mapped: [{ ...taxes, mapping: { sourceKey: 'id' } }, /mapping/],
      unknown: [{ ...taxes, delivers: 'rents' }, /delivers/],
      shown: [{ ...taxes, licence: { ...licence, displayFields: ['listPrice'] } }, /displayFields/],
      undated: [{ ...sales, columns: { caseNumber: 'Case' } }, /columns\.saleDate/],
    };
    for (const [name, [manifest]] of Object.entries(faults)) await writeFeed(root, name, { ...manifest, name }, {});
    const { sources, refused } = await loadDropFolder(root, { now: () => testNow });
    assert.deepEqual(sources, []);
    for (const { folder, problem } of refused) assert.match(problem, faults[folder]?.[1] ?? /^$/, folder);
    assert.equal(refused.length, Object.keys(faults).length);
  });

  describe('is ingested', () => {
    let database: Database;
    beforeEach(async () => {
      database = await openTestDatabase();
    });
    afterEach(() => database.close());

    it('under the same rules: quarantine, licence, report and rejects', async () => {
      setDay(30);
      const ingest = async (manifest: { readonly file: string }, content: string) => {
        const source = await open(manifest, content);
        return source.delivers === 'signals' ? ingestSource(source, ingestOptions(database.knex)) : assert.fail();
      };
      const many = Array.from({ length: 10 }, (_, index) => owing(`1-${index}`)).join('');
      const first = await ingest(taxes, header + many + owing('bad', 'a lot'));
      assert.deepEqual([first.status, first.accepted, first.rejected], ['completed', 10, 1]);
      assert.deepEqual(first.imported.columns.amount?.codes, { not_a_number: 1 });
      assert.equal((await ingest(taxes, header + owing('1-1'))).status, 'quarantined');
      assert.equal(
        (await ingest({ ...taxes, licence: { ...licence, mayStore: false } } as never, header)).status,
        'refused',
      );
      assert.equal((await database.knex('signals').whereNull('resolved_at')).length, 10);
    });
  });
});
