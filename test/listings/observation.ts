import { absent, known } from '../../src/absence.js';
import type { ObservedListing } from '../../src/listings/listing.js';
import type { Identify } from '../../src/listings/listing-identity.js';

const notStated = absent('not_stated_by_source');

/** A complete observation of a fourplex in Cleveland; override the relevant fields. */
export function observe(overrides: Partial<ObservedListing> = {}): ObservedListing {
  return {
    sourceKey: 'k1',
    marketplace: 'Broker Exchange',
    address: known('1 Main St'),
    city: 'Cleveland',
    state: 'OH',
    zip: known('44105'),
    county: notStated,
    parcelId: notStated,
    listingUrl: notStated,
    listPrice: known('250000'),
    units: known(4),
    unitMix: notStated,
    capRate: known('8.5'),
    noi: notStated,
    operatingExpenses: notStated,
    expenseItems: notStated,
    taxes: notStated,
    utilitiesPaidBy: notStated,
    vacancyPct: notStated,
    assessedValue: notStated,
    propertyType: known('fourplex'),
    yearBuilt: notStated,
    condition: notStated,
    saleCondition: 'standard',
    terms: [],
    remarks: notStated,
    loanBalance: notStated,
    loanRatePct: notStated,
    ...overrides,
  };
}

/** A mock normalizer: the address in upper case with its ZIP, parsed when it starts with a number. */
export const identify: Identify = ({ address, zip }) => {
  const text = 'value' in address ? address.value.toUpperCase() : '';
  const parsed = /^\d/.test(text);
  return { key: parsed ? `${text}|${'value' in zip ? zip.value : ''}` : undefined, parsed };
};
