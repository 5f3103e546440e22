import { createDemoListing, demonstrationSize } from '../data/create-demo-listing.js';
import { createDemoAddress } from '../data/demo-address.js';
import { demoMetros } from '../data/demo-places.js';
import { createDraw } from '../data/seeded-draw.js';
import type { DemoCounty } from './demo-counties.js';

/** A fictional property in the spelling of its county's records. */
export interface DemoProperty {
  readonly address: string;
  readonly city: string;
  readonly zip: string;
  readonly parcelId: string;
  /** USD. */
  readonly value: number;
}

/** Properties that are not for sale have lower numbers than this. */
const othersPerCounty = 280;
/** Listings of these scenarios show no usable location or price. */
const unusable = new Set(
  'undisclosed_address suppressed_address unreadable_values nowhere zip_of_another_state placeholder_price'.split(' '),
);

/** A county's properties that the demonstration's marketplaces also list, with another spelling of the address. */
export function readPropertiesForSale(county: DemoCounty): readonly DemoProperty[] {
  const { seed, count } = demonstrationSize;
  const properties: DemoProperty[] = [];
  for (let index = metroOf(county); index < count; index += demoMetros.length) {
    const listing = createDemoListing(seed, index, 1);
    if (listing === undefined || unusable.has(listing.scenario)) continue;
    const { city = '', zip = '', parcelId = '', listPrice = '' } = listing.fields;
    const asked = Number(listPrice) > 0 ? Number(listPrice) : 240_000;
    properties.push({
      address: listing.otherAddress.toUpperCase(),
      city: city.toUpperCase(),
      zip: zip.slice(0, 5),
      parcelId,
      value: roundValue(asked * 0.8),
    });
  }
  return properties;
}

/** Another property of a county, not for sale, by a number from 0 to 279. */
export function createOtherProperty(county: DemoCounty, number: number): DemoProperty {
  const { seed, count } = demonstrationSize;
  const metro = metroOf(county);
  const index = count + metro * othersPerCounty + (number % othersPerCounty);
  const draw = createDraw(seed, index);
  const place = draw.pick(demoMetros[metro] ?? []);
  return {
    address: createDemoAddress(index, draw).long.toUpperCase(),
    city: place.city.toUpperCase(),
    zip: place.zip,
    parcelId: `${draw.whole(100, 999)}-${draw.whole(10, 99)}-${draw.whole(100, 999)}`,
    value: roundValue(draw.between(45_000, 380_000)),
  };
}

function metroOf({ state, name }: DemoCounty): number {
  const index = demoMetros.findIndex(([place]) => place?.state === state && place.county === name);
  if (index === -1) throw new RangeError(`There are no places of ${name}, ${state}.`);
  return index;
}

function roundValue(value: number): number {
  return Math.round(value / 100) * 100;
}
