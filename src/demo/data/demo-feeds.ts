import { metros, slugOf } from '../../places/metros/metros.js';
import type { DropManifest } from '../../sources/formats/drop-manifest.js';
import type { MappableField } from '../../sources/formats/listing-fields.js';
import type { DemoFeedName } from './create-demo-listing.js';
import { demonstrationLicence } from './demonstration-licence.js';
import type { DemoFields } from './demo-scenarios.js';
import type { DemoDelivery, DemoRow } from './render-delivery.js';

/** A fictional marketplace. */
export interface DemoFeed extends Pick<DemoDelivery, 'badRows'> {
  readonly name: DemoFeedName;
  readonly manifest: DropManifest;
}

/** The columns of a listing in a marketplace's file. */
export function toFeedRow({ manifest }: DemoFeed, fields: DemoFields): DemoRow {
  const columns = Object.entries(manifest.mapping) as [MappableField, string][];
  return Object.fromEntries(columns.map(([field, column]) => [column, fields[field]]));
}

const midwest = ['IL', 'IN', 'KY', 'MI', 'MO', 'NE', 'OH', 'PA', 'WI'];
const metrosIn = (isCovered: (state: string) => boolean) => metros.filter(({ state }) => isCovered(state)).map(slugOf);
/** The others cover all metros. */
const coveredBy: Readonly<Record<string, readonly string[]>> = {
  'demo-heartland': metrosIn((state) => midwest.includes(state)),
  'demo-sunbelt': metrosIn((state) => !midwest.includes(state)),
};

const licence = demonstrationLicence('Demonstration data, fictional properties');

const words = {
  saleCondition: { 'Bank owned': 'bank_owned', REO: 'bank_owned', Probate: 'estate' },
  terms: { 'Cash only': 'cash_only' },
  propertyType: { 'Multifamily 5 plus': 'multifamily_5_plus' },
} as const;

const location = { sourceKey: 'listing_id', address: 'street', city: 'city', state: 'state', zip: 'zip' } as const;
const money = { listPrice: 'asking_price', capRate: 'cap_rate', noi: 'noi' } as const;
const details: Partial<Record<MappableField, string>> = {
  county: 'county', parcelId: 'parcel', listingUrl: 'url', units: 'units', operatingExpenses: 'expenses',
  expenseItems: 'expense_items', taxes: 'taxes',
  utilitiesPaidBy: 'utilities_paid_by', vacancyPct: 'vacancy', assessedValue: 'assessed', propertyType: 'type', yearBuilt: 'year_built', condition: 'condition',
  saleCondition: 'sale', terms: 'terms', remarks: 'remarks', loanBalance: 'loan_balance', loanRatePct: 'loan_rate',
}; // prettier-ignore

/**
 * The marketplaces. Two publish everything; `auctions` publishes no income and no county; `owners` no units, no ZIP and
 * no links; `lakes` no income and no links, but which addresses must not be shown.
 */
export const demoFeeds: readonly DemoFeed[] = [
  {
    name: 'heartland',
    manifest: manifestOf('demo-heartland', 'Heartland Deal Exchange (demonstration)', 'csv', {
      ...location,
      ...money,
      ...details,
    }),
    badRows: [
      'BAD-1,"1 Unclosed Quote St,Cleveland,OH,44105\n',
      'BAD-2,too,few,columns\n',
      Buffer.from(`BAD-3,1 Ca\xf1on St,Cleveland,OH,44105${','.repeat(21)}\n`, 'latin1'),
      `BAD-4,1 Elsewhere St,London,XX,44105${','.repeat(21)}\n`,
      `,1 Keyless St,Cleveland,OH,44105${','.repeat(21)}\n`,
    ],
  },
  {
    name: 'sunbelt',
    manifest: manifestOf('demo-sunbelt', 'Sun Belt Multifamily Market (demonstration)', 'ndjson', {
      ...location,
      ...money,
      ...details,
    }),
    badRows: [
      '{"listing_id":"BAD-1","street":"1 Cut Off\n',
      '["no","object"]\n',
      '{"listing_id":"BAD-2","street":"1 Cityless St","state":"TX"}\n',
      `${JSON.stringify({ listing_id: 'BAD-3', city: 'Dallas', state: 'TX', remarks: 'x'.repeat(300_000) })}\n`,
      '{"listing_id":"BAD-4","city":"Dallas","state":"TX","sale":"raffle"}\n',
    ],
  },
  {
    name: 'auctions',
    manifest: {
      ...manifestOf('demo-auctions', 'Gavel and Key Auctions (demonstration)', 'csv', {
        sourceKey: 'lot', address: 'street', city: 'city', state: 'state', zip: 'zip', listPrice: 'reserve', units: 'doors',
        listingUrl: 'url', condition: 'condition', saleCondition: 'sale', terms: 'terms', remarks: 'remarks', yearBuilt: 'built',
      }), // prettier-ignore
      delimiter: ';',
    },
    badRows: [`LOT-BAD;1 Stateless St;Toledo;;43612${';'.repeat(8)}\n`],
  },
  {
    name: 'owners',
    manifest: manifestOf('demo-owners', 'Owner Direct Board (demonstration)', 'json', {
      sourceKey: 'id', address: 'address', city: 'city', state: 'state', county: 'county', listPrice: 'price', capRate: 'cap',
      terms: 'terms', remarks: 'text',
    }), // prettier-ignore
    badRows: [],
  },
  {
    name: 'lakes',
    manifest: manifestOf('demo-lakes', 'Lakes Multiple Listing (demonstration)', 'csv', {
      ...location, addressDisplay: 'show_address', county: 'county', parcelId: 'parcel', listPrice: 'price', units: 'units',
      taxes: 'taxes', propertyType: 'type', yearBuilt: 'built', condition: 'condition', saleCondition: 'sale', terms: 'terms',
      remarks: 'remarks',
    }), // prettier-ignore
    badRows: [`BAD-1,1 Stateless St,Akron${','.repeat(14)}\n`],
  },
];

function manifestOf(
  name: string,
  marketplace: string,
  format: DropManifest['format'],
  mapping: Partial<Record<MappableField, string>>,
): DropManifest {
  return {
    name,
    marketplace,
    format,
    file: `listings.${format}`,
    covers: [...(coveredBy[name] ?? metrosIn(() => true))],
    licence,
    mapping,
    values: words,
    demonstration: true,
  };
}
