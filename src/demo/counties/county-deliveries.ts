import { demonstrationLicence } from '../data/demonstration-licence.js';
import type { DemoDelivery, DemoRow } from '../data/render-delivery.js';
import { createDelinquencies, sumOwed } from './create-delinquencies.js';
import { createSales, type DemoSaleStatus } from './create-sales.js';
import type { DemoCounty } from './demo-counties.js';

/** What a county delivers on a day of its calendar (YYYY-MM-DD): each kind of record as a complete file. */
export function createCountyDeliveries(county: DemoCounty, day: string): readonly DemoDelivery[] {
  return county.delivers.map((delivers) => ({ ...deliveryOf[delivers](county, day), badRows: [] }));
}

const deliveryOf: Readonly<
  Record<DemoCounty['delivers'][number], (county: DemoCounty, day: string) => Omit<DemoDelivery, 'badRows'>>
> = {
  signals: (county, day) => ({
    manifest: {
      delivers: 'signals',
      ...manifestOf(county, 'delinquent-taxes', 'parcels/{parcel_number}'),
      ...{ key: ['parcel_number'], columns: taxColumns, flags: { payment_agreement: false } },
    },
    rows: createTaxRows(county, day),
  }),
  parcels: (county, day) => ({
    manifest: {
      delivers: 'parcels',
      ...manifestOf(county, 'parcels', 'parcels/{parcel_number}'),
      ...{ key: ['parcel_number'], columns: parcelColumns },
    },
    rows: createParcelRows(county, day),
  }),
  auctions: (county, day) => ({
    manifest: {
      delivers: 'auctions',
      ...manifestOf(county, 'sheriff-sales', 'sales/{number}'),
      ...{ key: ['number'], columns: saleColumns },
    },
    rows: createSaleRows(county, day),
  }),
};

/** The name of the source of a county's records. */
export function sourceNameOf(
  { state, name }: DemoCounty,
  what: 'delinquent-taxes' | 'parcels' | 'sheriff-sales',
): string {
  return `demo-${state.toLowerCase()}-${name.toLowerCase()}-${what}`;
}

/** @param page of a record on the county's site, whose host does not exist (RFC 2606) */
function manifestOf(county: DemoCounty, what: Parameters<typeof sourceNameOf>[1], page: string) {
  const { state, name, countyFips } = county;
  return {
    name: sourceNameOf(county, what),
    format: 'csv' as const,
    file: `${what}.csv`,
    licence: demonstrationLicence(`Demonstration data, fictional records of ${name} County, ${state}`),
    county: { fips: countyFips, state },
    recordUrl: `https://demo-${name.toLowerCase()}-county.example/${page}`,
    constants: {},
    flags: {},
    demonstration: true,
  };
}

/** The columns of a parcel roll. */
export const parcelColumns = {
  parcelId: 'parcel_number',
  ownerName: 'owner',
  address: 'street_address',
  city: 'city',
  zip: 'zip_code',
  assessedValue: 'assessed_value',
} as const;

/** The columns of a list of unpaid taxes. */
export const taxColumns = {
  ...parcelColumns,
  amount: 'total_due',
  yearsOwed: 'num_years_owed',
  listYear: 'list_year',
  taxSaleDate: 'sale_date',
} as const;

const saleColumns = {
  saleDate: 'sale_date',
  saleStatus: 'status',
  caseNumber: 'case_number',
  address: 'address',
  city: 'city',
  zip: 'zip',
  parcelId: 'parcel',
  appraisedValue: 'appraised',
  openingBid: 'opening_bid',
  judgmentAmount: 'judgment',
  depositRequirement: 'deposit',
  plaintiff: 'plaintiff',
  defendant: 'defendant',
  attorney: 'attorney',
} as const;

/** Some rows are on a payment plan and a few have no owner: these are rejected. */
export function createTaxRows(county: DemoCounty, day: string): readonly DemoRow[] {
  return createDelinquencies(county, day).map((delinquency) => {
    const { number, property, owner, owed } = delinquency;
    const isPlaced = !county.delivers.includes('parcels') && number % 9 !== 4;
    const isForTaxSale = owed.length >= 4 && number % 2 === 0;
    return {
      parcel_number: property.parcelId,
      owner: number % 31 === 30 ? '' : owner,
      street_address: isPlaced ? property.address : '',
      city: isPlaced ? property.city : '',
      zip_code: isPlaced ? property.zip : '',
      assessed_value: String(property.value),
      total_due: (sumOwed(delinquency) / 100).toFixed(2),
      num_years_owed: String(owed.length),
      list_year: String(owed[0]?.year ?? ''),
      payment_agreement: number % 17 === 16 ? 'true' : 'false',
      sale_date: isForTaxSale ? taxSaleAfter(day) : '',
    };
  });
}

/** Parcel numbers have no separators. One in twelve is vacant land without an address; one in fifteen is missing. */
export function createParcelRows(county: DemoCounty, day: string): readonly DemoRow[] {
  return createDelinquencies(county, day)
    .filter(({ number }) => number % 15 !== 8)
    .map(({ number, property, owner }) => ({
      parcel_number: property.parcelId.replaceAll('-', ''),
      owner,
      street_address: number % 12 === 6 ? '' : property.address,
      city: property.city,
      zip_code: property.zip,
      assessed_value: String(property.value),
    }));
}

/** Tax sales are held on the first of the month after next. */
function taxSaleAfter(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month + 1, 1)).toISOString().slice(0, 10);
}

const words: Readonly<Record<DemoSaleStatus, string>> = {
  scheduled: 'Scheduled',
  adjourned: 'Adjourned',
  withdrawn: 'Withdrawn',
  cancelled: 'Canceled per Order',
  sold: 'Sold',
  no_bid: 'No Bids',
};

function createSaleRows(county: DemoCounty, day: string): readonly DemoRow[] {
  return createSales(county, day).map((sale) => ({
    number: `F-${sale.number}`,
    sale_date: sale.saleDate,
    status: words[sale.status],
    case_number: sale.caseNumber,
    address: sale.property.address,
    city: sale.property.city,
    zip: sale.property.zip,
    parcel: sale.property.parcelId,
    appraised: String(sale.appraised),
    opening_bid: String(sale.openingBid),
    judgment: String(sale.judgment),
    deposit: sale.appraised > 200_000 ? '10000' : '5000',
    plaintiff: sale.plaintiff,
    defendant: sale.defendant,
    attorney: sale.attorney,
  }));
}
