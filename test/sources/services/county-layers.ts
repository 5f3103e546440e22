import {
  createParcelRows,
  createTaxRows,
  parcelColumns,
  taxColumns,
} from '../../../src/demo/counties/county-deliveries.js';
import type { DemoCounty } from '../../../src/demo/counties/demo-counties.js';
import type { DemoRow } from '../../../src/demo/data/render-delivery.js';
import type { MockLayer } from './mock-arcgis.js';
import type { MockRow } from './mock-server.js';

const listPath = 'arcgis/rest/services/Treasurer/FeatureServer/0';
const rollPath = 'arcgis/rest/services/Treasurer/FeatureServer/1';
const { listYear: _, ...listColumns } = taxColumns;

/** The entry of the layer of unpaid taxes in the file of sources. */
export const delinquencyLayer = {
  ...{ delivers: 'signals', layer: listPath, key: ['parcel_number'], columns: listColumns },
  flags: { payment_agreement: false },
} as const;

/** The entry of the layer of all parcels. */
export const parcelLayer = {
  ...{ delivers: 'parcels', layer: rollPath, key: ['parcel_number'], columns: parcelColumns },
} as const;

const [text, number] = ['esriFieldTypeString', 'esriFieldTypeDouble'];
const rollTypes = {
  objectid: 'esriFieldTypeOID',
  parcel_number: text,
  owner: text,
  street_address: text,
  city: text,
  zip_code: text,
  assessed_value: number,
};
const listTypes = {
  ...rollTypes,
  total_due: number,
  num_years_owed: 'esriFieldTypeInteger',
  payment_agreement: text,
  sale_date: 'esriFieldTypeDate',
};

/** The layers of a county, with the rows of its deliveries. */
export function countyLayers(county: DemoCounty): Readonly<Record<string, MockLayer>> {
  return {
    [listPath]: { columns: listTypes, readRows: (day) => toRows(createTaxRows(county, day), listTypes) },
    ...(county.delivers.includes('parcels') && {
      [rollPath]: { columns: rollTypes, readRows: (day: string) => toRows(createParcelRows(county, day), rollTypes) },
    }),
  };
}

/** Texts by the types of their columns; dates are milliseconds since 1970, and an empty text is null. */
function toRows(rows: readonly DemoRow[], types: Readonly<Record<string, string>>): readonly MockRow[] {
  return rows.map((row, index) => {
    const cells = Object.entries(types).map(([column, type]) => {
      const cell = row[column] ?? '';
      if (type === 'esriFieldTypeOID') return [column, index + 1] as const;
      if (cell === '') return [column, null] as const;
      if (type === 'esriFieldTypeDate') return [column, Date.parse(`${cell}T00:00:00Z`)] as const;
      return [column, type === text ? cell : Number(cell)] as const;
    });
    return Object.fromEntries(cells);
  });
}
