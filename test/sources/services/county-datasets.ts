import { createDelinquencies, sumOwed } from '../../../src/demo/counties/create-delinquencies.js';
import type { DemoCounty } from '../../../src/demo/counties/demo-counties.js';
import type { MockDataset } from './mock-socrata.js';

const saleId = 'demo-0001';
const ownersId = 'demo-0002';

/** The annual tax sale's entry in the file of sources. */
export const salesDataset = {
  delivers: 'signals',
  dataset: saleId,
  key: ['pin', 'tax_sale_year'],
  columns: {
    parcelId: 'pin',
    ownerName: 'owner_address_name',
    amount: 'total_tax_and_penalty_amount_offered',
    listYear: 'tax_sale_year',
    address: 'prop_address_full',
    city: 'prop_address_city_name',
    zip: 'prop_address_zipcode_1',
    assessedValue: 'certified_tot',
  },
} as const;

const joined = [
  'prop_address_full',
  'prop_address_city_name',
  'prop_address_zipcode_1',
  'owner_address_name',
  'certified_tot',
];

/** How its rows are completed: the second dataset writes parcel numbers without separators. */
export const ownersDataset = { dataset: ownersId, key: 'pin', columns: joined };

/** The datasets of a county. Numbers are text; one parcel in twelve has no address. */
export function countyDatasets(county: DemoCounty): Readonly<Record<string, MockDataset>> {
  return {
    [saleId]: {
      columns: ['tax_sale_year', 'pin', 'classification', 'sold_at_sale', 'total_tax_and_penalty_amount_offered'],
      readRows: (day) =>
        createDelinquencies(county, day).map((delinquency) => ({
          tax_sale_year: String(delinquency.owed[0]?.year ?? ''),
          pin: delinquency.property.parcelId,
          classification: '211',
          sold_at_sale: false,
          total_tax_and_penalty_amount_offered: (sumOwed(delinquency) / 100).toFixed(2),
        })),
    },
    [ownersId]: {
      columns: ['pin', ...joined],
      readRows: (day) =>
        createDelinquencies(county, day).map(({ number, property, owner }) => ({
          pin: property.parcelId.replaceAll('-', ''),
          prop_address_full: number % 12 === 6 ? null : property.address,
          prop_address_city_name: property.city,
          prop_address_zipcode_1: property.zip,
          owner_address_name: owner,
          certified_tot: String(property.value),
        })),
    },
  };
}
