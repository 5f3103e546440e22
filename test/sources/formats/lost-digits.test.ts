import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import { parcelKey } from '../../../src/places/addresses/parcel.js';
import type { DropManifest } from '../../../src/sources/formats/drop-manifest.js';
import { parseAuctionRow } from '../../../src/sources/formats/parse-auction-row.js';
import { parseListingRow, readSourceKey } from '../../../src/sources/formats/parse-listing-row.js';
import { parseParcelRow, parseSignalRow } from '../../../src/sources/formats/parse-record-row.js';
import { readJson } from '../../../src/sources/read/read-json.js';
import { readRecordKey, type RecordMapping } from '../../../src/sources/formats/record-mapping.js';
import { createDropRoot, loadOnly, plainManifest, readAll, writeFeed } from './drop-feed.js';

const long = ['123456789012345678', '123456789012345679'] as const;
/** Numbers with lost digits, as spreadsheets and programs write them. */
const rounded = ['1.23457E+13', '1e+21', '1.2346e15', '1E+13'];

const mapping: RecordMapping = {
  countyFips: '39035',
  state: 'OH',
  key: ['parcel', 'year'],
  columns: { parcelId: 'parcel', ownerName: 'owner', amount: 'amount' },
  constants: {},
  flags: {},
  recordUrl: 'https://county.example/{parcel}',
};
const row = (parcel: unknown) => ({ parcel, year: 2025, owner: 'Example LLC', amount: '500' });
const manifest: Pick<DropManifest, 'marketplace' | 'mapping'> = {
  marketplace: 'Exchange',
  mapping: { sourceKey: 'id', city: 'city', state: 'state', parcelId: 'parcel' },
};

describe('identifying numbers', () => {
  it('keep each digit of a JSON integer beyond 2^53', () => {
    assert.deepEqual(readJson(`[{"id": ${long[0]}}, {"id": -${long[1]}}]`), [{ id: long[0] }, { id: `-${long[1]}` }]);
    assert.deepEqual(readJson('{"a": 9007199254740991, "b": 9007199254740992}'), {
      a: 9007199254740991,
      b: '9007199254740992',
    });
  });

  it('leave all other JSON as JSON.parse reads it', () => {
    const texts = [
      '{"price": 1.5e5, "cap": 8.25, "text": "1234567890123456 1E5", "flag": true, "none": null, "list": [1, [2]]}',
      '{"twice": 12345678901234567, "twice": 1}',
      ' [ ] ',
    ];
    for (const text of texts) assert.deepEqual(readJson(text), JSON.parse(text));
    for (const text of ['', '{', '[1234567890123456789,]', 'NaN', '01234567890123456']) {
      assert.equal(readJson(text), undefined, text);
    }
  });

  it('keep the text of a number above 10^10 in exponent form', () => {
    assert.deepEqual(readJson('{"parcel": 1.23457E+13, "price": 3.89E+5}'), { parcel: '1.23457E+13', price: 389_000 });
  });

  it('distinguish two parcels with long numbers', () => {
    const keys = long.map((number) => readRecordKey(row(readJson(number)) as never, mapping));
    assert.deepEqual(
      keys,
      long.map((number) => `${number}/2025`),
    );
    const [signal] = long.map((number) => parseSignalRow(row(readJson(number)), 'k', mapping));
    assert.ok(signal && 'parcelId' in signal);
    assert.equal(signal.parcelId, long[0]);
  });

  for (const text of rounded) {
    it(`are no key and no parcel when digits are lost: ${text}`, () => {
      assert.equal(parcelKey('39035', text), undefined);
      assert.equal(readRecordKey(row(text), mapping), undefined);
      for (const parsed of [parseSignalRow(row(text), 'k', mapping), parseParcelRow(row(text), 'k', mapping)])
        assert.ok('reject' in parsed && parsed.reject === 'missing_parcel');
      const listing = parseListingRow({ id: 'a', city: 'Cleveland', state: 'OH', parcel: text }, 'a', manifest, 2026);
      assert.ok('parcelId' in listing);
      assert.deepEqual(listing.parcelId, absent('parse_failed'));
      assert.equal(readSourceKey({ id: text }, manifest), undefined);
    });
  }

  it('are no parcel when they are shorter than their county declares', () => {
    const declared = { ...mapping, parcelLength: 14 };
    const whole = parseSignalRow(row('07-18-411-025-0000'), 'k', declared);
    assert.ok('parcelId' in whole && whole.parcelId === '07-18-411-025-0000');
    for (const parse of [parseSignalRow, parseParcelRow]) {
      const parsed = parse(row('7-18-411-025-0000'), 'k', declared);
      assert.ok('reject' in parsed && parsed.reject === 'missing_parcel');
    }
    const sale = { saleDate: 'day', caseNumber: 'case', parcelId: 'parcel' };
    const auction = parseAuctionRow({ day: '2026-12-14', case: 'C1', parcel: '718411' }, 'k', {
      ...declared,
      columns: sale,
    });
    assert.ok('parcelId' in auction);
    assert.deepEqual(auction.parcelId, absent('parse_failed'));
  });

  it('are not read from a JavaScript number that cannot represent them', () => {
    assert.equal(readRecordKey(row(Number(long[0])), mapping), undefined);
  });

  it('stay parcels when they contain letters', () => {
    for (const text of ['12E45', '1E10', '07-18-411-025-0000', '101 1.0E-4', 'E123']) {
      const parsed = parseSignalRow(row(text), 'k', mapping);
      assert.ok('parcelId' in parsed, text);
      assert.ok(parcelKey('39035', text), text);
    }
  });

  it('are all delivered by a drop folder of NDJSON', async () => {
    const { root, remove } = await createDropRoot();
    try {
      const lines = long.map((number) => `{"id": ${number}, "parcel": ${number}, "city": "Toledo", "state": "OH"}\n`);
      const mapped = { ...plainManifest, format: 'ndjson', file: 'deals.ndjson', mapping: manifest.mapping };
      await writeFeed(root, 'brokers', mapped, { 'deals.ndjson': lines.join('') });
      const source = await loadOnly(root);
      const { rows } = await readAll(source);
      const parcels = rows.map((each) => ('payload' in each ? source.parse(each) : each));
      assert.deepEqual(
        parcels.map((each) => ('parcelId' in each ? [each.sourceKey, each.parcelId] : each)),
        long.map((number) => [number, known(number)]),
      );
    } finally {
      await remove();
    }
  });
});
