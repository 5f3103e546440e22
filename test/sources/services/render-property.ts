import type { DemoFields } from '../../../src/demo/data/demo-scenarios.js';

/** A listing in the fields of the RESO Data Dictionary. Source: RESO Data Dictionary 2.0, Property. */
export type DemoProperty = Readonly<Record<string, unknown>>;

/** Fields of every property the listing service shows. */
const shown = {
  StandardStatus: 'Active',
  PropertyType: 'Residential Income',
  MlgCanView: true,
  InternetEntireListingDisplayYN: true,
} as const;

/** A listing without a state, which must be rejected. */
export const badProperty: DemoProperty = { ...shown, ListingKey: 'BAD-1', City: 'Akron' };

const lookups: Readonly<Record<string, string>> = {
  'Bank owned': 'Real Estate Owned',
  Estate: 'Probate Listing',
  Fourplex: 'Quadruplex',
  Distressed: 'To Be Demolished',
};

/** Renders a listing as its listing service would: in the dictionary's words, without income or link. */
export function renderProperty(fields: DemoFields): DemoProperty {
  const { address = '', city = '', state = '', zip = '' } = fields;
  return {
    ...shown,
    ListingKey: fields.sourceKey,
    UnparsedAddress: `${address}, ${city}, ${state} ${zip}`,
    InternetAddressDisplayYN: fields.addressDisplay === 'Y',
    City: city,
    StateOrProvince: state,
    PostalCode: zip,
    CountyOrParish: fields.county,
    ParcelNumber: fields.parcelId,
    ListPrice: toNumber(fields.listPrice),
    NumberOfUnitsTotal: toNumber(fields.units),
    TaxAnnualAmount: toNumber(fields.taxes),
    YearBuilt: toNumber(fields.yearBuilt),
    PropertySubType: toLookup(fields.propertyType),
    PropertyCondition: listOf(fields.condition),
    SpecialListingConditions: listOf(fields.saleCondition),
    ListingTerms: listOf(fields.terms),
    PublicRemarks: fields.remarks,
  };
}

/** A plain number as a number; other text unchanged, as servers return it. */
function toNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^[1-9]\d*(\.\d+)?$/.test(text) ? Number(text) : text;
}

function listOf(text: string | undefined): readonly unknown[] {
  return (text ?? '').split(';').flatMap((word) => (word === '' ? [] : [toLookup(word)]));
}

function toLookup(word: string | undefined): string | undefined {
  return word === undefined ? undefined : (lookups[word] ?? word);
}

/**
 * The listing service's data after a day: offered properties with the time of their last change, and former ones,
 * closed. A change is dated at the start of its day, UTC.
 */
export function keepProperties(
  before: readonly DemoProperty[],
  offered: readonly DemoProperty[],
  day: Date,
): readonly DemoProperty[] {
  const changedAt = `${day.toISOString().slice(0, 10)}T00:00:00.000Z`;
  const known = new Map(before.map((property) => [property.ListingKey, property]));
  const keys = new Set(offered.map((property) => property.ListingKey));
  const gone = before
    .filter((property) => !keys.has(property.ListingKey))
    .map((property): DemoProperty => ({ ...property, StandardStatus: 'Closed' }));
  return [...offered, ...gone].map((property) => {
    const last = known.get(property.ListingKey);
    const unchanged = { ...property, ModificationTimestamp: last?.ModificationTimestamp };
    return JSON.stringify(unchanged) === JSON.stringify(last)
      ? unchanged
      : { ...property, ModificationTimestamp: changedAt };
  });
}
