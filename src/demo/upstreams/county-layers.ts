import { createDelinquencies, sumOwed } from '../counties/create-delinquencies.js';
import type { DemoCounty } from '../counties/demo-counties.js';
import { dayNumberOf } from '../counties/day-number.js';
import type { MockLayer } from './mock-arcgis.js';
import type { MockRow } from './mock-server.js';

const dayMs = 86_400_000;
const text = 'esriFieldTypeString';
const listPath = 'arcgis/rest/services/Treasurer/FeatureServer/0';
const rollPath = 'arcgis/rest/services/Treasurer/FeatureServer/1';

/** The entry of the layer of unpaid taxes in the file of sources. */
export const delinquencyLayer = {
  delivers: 'signals',
  layer: listPath,
  key: ['parcel_number'],
  columns: {
    parcelId: 'parcel_number',
    ownerName: 'owner',
    amount: 'total_due',
    address: 'street_address',
    city: 'city',
    zip: 'zip_code',
    yearsOwed: 'num_years_owed',
    taxSaleDate: 'sale_date',
    assessedValue: 'assessed_value',
  },
  flags: { payment_agreement: false },
} as const;

/** The entry of the layer of all parcels. */
export const parcelLayer = {
  delivers: 'parcels',
  layer: rollPath,
  key: ['parcel_number'],
  columns: {
    parcelId: 'parcel_number',
    ownerName: 'owner',
    address: 'street_address',
    city: 'city',
    zip: 'zip_code',
    assessedValue: 'assessed_value',
  },
} as const;

/**
 * The layers of a county. Its list states the street of most parcels, or of none when the county has a parcel roll.
 * Some rows are on a payment plan and a few have no owner: these are rejected.
 */
export function countyLayers(county: DemoCounty): Readonly<Record<string, MockLayer>> {
  const common = {
    objectid: 'esriFieldTypeOID',
    parcel_number: text,
    owner: text,
    street_address: text,
    city: text,
    zip_code: text,
    assessed_value: 'esriFieldTypeDouble',
  };
  return {
    [listPath]: {
      columns: {
        ...common,
        total_due: 'esriFieldTypeDouble',
        num_years_owed: 'esriFieldTypeInteger',
        payment_agreement: text,
        sale_date: 'esriFieldTypeDate',
      },
      readRows: (day) => readList(county, day),
    },
    ...(county.hasRoll === undefined
      ? {}
      : { [rollPath]: { columns: common, readRows: (day: string) => readRoll(county, day) } }),
  };
}

function readList(county: DemoCounty, day: string): readonly MockRow[] {
  return createDelinquencies(county, day).map((delinquency) => {
    const { number, property, owner, owed } = delinquency;
    const isPlaced = county.hasRoll === undefined && number % 9 !== 4;
    const isForTaxSale = owed.length >= 4 && number % 2 === 0;
    return {
      objectid: number,
      parcel_number: property.parcelId,
      owner: number % 31 === 30 ? null : owner,
      street_address: isPlaced ? property.address : null,
      city: isPlaced ? property.city : null,
      zip_code: isPlaced ? property.zip : null,
      assessed_value: property.value,
      total_due: sumOwed(delinquency) / 100,
      num_years_owed: owed.length,
      payment_agreement: number % 17 === 16 ? 'true' : 'false',
      // Tax sales are held on the first of the month after next.
      sale_date: isForTaxSale ? firstOfMonthAhead(day, 2) : null,
    };
  });
}

/** One parcel in twelve is vacant land without a number; one in fifteen is missing. */
function readRoll(county: DemoCounty, day: string): readonly MockRow[] {
  return createDelinquencies(county, day)
    .filter(({ number }) => number % 15 !== 8)
    .map(({ number, property, owner }) => ({
      objectid: number,
      parcel_number: property.parcelId.replaceAll('-', ''),
      owner,
      street_address: number % 12 === 6 ? null : property.address,
      city: property.city,
      zip_code: property.zip,
      assessed_value: property.value,
    }));
}

function firstOfMonthAhead(day: string, ahead: number): number {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + ahead, 1)).toISOString().slice(0, 10);
  return dayNumberOf(first) * dayMs;
}
