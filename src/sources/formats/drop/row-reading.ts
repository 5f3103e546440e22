import type { CsvShape } from '../../read/read-csv-rows.js';
import type { DeliveryKind, RawRow, RowReject, Source } from '../../source.js';
import { isObject } from '../../upstream/get-json.js';
import type { CountyManifest, DropManifest } from '../drop-manifest.js';
import { parseListingRow, readSourceKey } from '../parse-listing-row.js';
import { type CountyKind, recordParserOf, toRecordRow } from '../parse-record-row.js';
import { type Columns, columnsOf, type CountyField, type RecordMapping } from '../record-mapping.js';

/** How the rows of one kind are read. */
export interface RowReading<K extends DeliveryKind> {
  readonly shape: CsvShape;
  /** Columns that no page of ten rows or more may lack as a whole. */
  readonly expected: readonly string[];
  /** The columns of a row by the mapping's names, with its key. */
  toRow(columns: Columns, place: string): RawRow | RowReject;
  /** The parser of rows of a delivery that lacks these mapped columns. */
  parserWithout(missing: readonly string[]): Source<K>['parse'];
}

/** How rows of listings are read. */
export function readingOfListings(manifest: DropManifest, now: () => Date): RowReading<'listings'> {
  const { mapping } = manifest;
  const expected = (['sourceKey', 'address', 'listPrice'] as const).flatMap((field) => mapping[field] ?? []);
  const required = [...expected, ...(['city', 'state'] as const).flatMap((field) => mapping[field] ?? [])];
  return {
    shape: { delimiter: manifest.delimiter, mapped: Object.values(mapping), required },
    expected,
    toRow: (payload, place) => ({ key: readSourceKey(payload, manifest) ?? place, payload, place }),
    parserWithout(missing) {
      const published = { ...manifest, mapping: withoutColumns(mapping, missing) };
      return ({ key, payload }, note) =>
        isObject(payload)
          ? parseListingRow(payload, key, published, now().getUTCFullYear(), note)
          : { reject: 'row_unreadable', key, detail: 'The row is not an object of columns.' };
    },
  };
}

/** Columns without which a county's record cannot be. */
const neededFields: { readonly [K in CountyKind]: readonly CountyField[] } = {
  signals: ['parcelId', 'ownerName', 'amount'],
  parcels: ['parcelId'],
  auctions: ['saleDate'],
};

/** How rows of a county's table are read. */
export function readingOfCounty<K extends CountyKind>(delivers: K, manifest: CountyManifest): RowReading<K> {
  const { county, key, columns, constants, flags, recordUrl } = manifest;
  const { fips: countyFips, state, parcelLength } = county;
  const of = { countyFips, state, parcelLength, key, flags, recordUrl };
  const mapping: RecordMapping = { ...of, columns, constants };
  const needed = neededFields[delivers].flatMap((field) => mapping.columns[field] ?? []);
  const expected = [...new Set([...key, ...needed, ...Object.keys(flags)])];
  return {
    shape: { delimiter: manifest.delimiter, mapped: columnsOf(mapping), required: expected },
    expected,
    toRow: (payload, place) => ({ ...toRecordRow(payload, place, mapping), place }),
    parserWithout: (missing) =>
      recordParserOf(delivers, { ...mapping, columns: withoutColumns(mapping.columns, missing) }),
  };
}

function withoutColumns<M extends Readonly<Record<string, string | undefined>>>(
  mapping: M,
  missing: readonly string[],
) {
  return Object.fromEntries(Object.entries(mapping).filter(([, column]) => !missing.includes(column ?? ''))) as M;
}
