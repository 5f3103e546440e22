import { createSales } from '../../../src/demo/counties/create-sales.js';
import { type DemoCounty, demoCounties } from '../../../src/demo/counties/demo-counties.js';
import { demoMetros } from '../../../src/demo/data/demo-places.js';
import { demonstrationLicence } from '../../../src/demo/data/demonstration-licence.js';
import { newestRents } from '../../../src/demo/data/write-rents.js';
import { countyLayers, delinquencyLayer, parcelLayer } from './county-layers.js';
import { countyDatasets, ownersDataset, salesDataset } from './county-datasets.js';
import { createRollLines, rollCities, createMockTaxRoll } from './mock-tax-roll.js';
import { createMockArcgis } from './mock-arcgis.js';
import { createMockCivilView } from './mock-civilview.js';
import { createMockHud } from './mock-hud.js';
import { createMockRealAuction } from './mock-realauction.js';
import { createMockReso } from './mock-reso.js';
import { createMockSocrata } from './mock-socrata.js';
import type { MockServer } from './mock-server.js';
import type { DemoProperty } from './render-property.js';

/** The key that some of the services require, by the name in their entry. */
export const serviceKey = { name: 'SOURCE_SECRET_SERVICES', value: 'the-key' } as const;

/** A service with the demonstration's records, in the wire format of a real one. */
export interface MockService {
  /** The county whose day it shows. */
  readonly countyFips: string;
  readonly answer: MockServer;
  /** Its entries in a file of sources. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
}

/** A listing service, HUD's rents, and one service for each wire format of a county. */
export function createServices(readProperties: () => readonly DemoProperty[]): readonly MockService[] {
  return [
    createListingService(readProperties),
    createRentService(),
    ...Object.entries(formatsOf).flatMap(([name, formats]) => {
      const county = demoCounties.find((each) => each.name === name);
      if (county === undefined) throw new RangeError(`${name} is no county of the demonstration.`);
      return formats.map((format) => ({ countyFips: county.countyFips, ...openers[format](county) }));
    }),
  ];
}

function createListingService(readProperties: () => readonly DemoProperty[]): MockService {
  return {
    countyFips: '39035',
    answer: createMockReso({ token: serviceKey.value, readProperties }),
    entries: [
      {
        kind: 'reso-odata',
        name: 'listing-service',
        licence: demonstrationLicence('Demonstration data, fictional properties'),
        marketplace: 'Lakes Multiple Listing (demonstration)',
        covers: ['OH'],
        secret: serviceKey.name,
      },
    ],
  };
}

/** HUD's published figures of the counties in one state. */
function createRentService(): MockService {
  const state = 'OH';
  const counties = demoCounties.filter((county) => county.state === state);
  return {
    countyFips: '39035',
    answer: createMockHud({
      token: serviceKey.value,
      counties: counties.flatMap(({ name, countyFips }) => {
        const county = newestRents('county', countyFips);
        const places = demoMetros.flat().filter((place) => place.state === state && place.county === name);
        const zips = places.flatMap(({ zip }) => newestRents('zip', zip) ?? []);
        return county === undefined ? [] : { state, county, zips };
      }),
    }),
    entries: [
      {
        kind: 'hud-user',
        name: 'rent-service',
        licence: demonstrationLicence('Fair Market Rents of the U.S. Department of Housing and Urban Development'),
        counties: counties.map(({ countyFips: fips }) => ({ fips, state })),
        secret: serviceKey.name,
      },
    ],
  };
}

/** `arcgis`, `socrata` and `roll` publish unpaid taxes, the others sheriff sales. */
type CountyFormat = 'arcgis' | 'socrata' | 'roll' | 'civilview' | 'realauction';

const formatsOf: Readonly<Record<string, readonly CountyFormat[]>> = {
  Cuyahoga: ['arcgis', 'realauction'],
  Hamilton: ['civilview'],
  Marion: ['arcgis'],
  Cook: ['socrata'],
  Dallas: ['roll'],
};

/** Months of RealAuction's calendar: as far ahead as there are sales. */
const months = 3;
const recordUrl = 'https://county.example/parcels/{parcel_number}';

const openers: Readonly<Record<CountyFormat, (county: DemoCounty) => Pick<MockService, 'answer' | 'entries'>>> = {
  arcgis: (county) => ({
    answer: createMockArcgis(countyLayers(county)),
    entries: [
      entryOf(county, 'arcgis', 'taxes', { ...delinquencyLayer, recordUrl }),
      ...(county.delivers.includes('parcels')
        ? [entryOf(county, 'arcgis', 'parcels', { ...parcelLayer, recordUrl })]
        : []),
    ],
  }),
  socrata: (county) => ({
    answer: createMockSocrata(countyDatasets(county)),
    entries: [
      entryOf(county, 'socrata', 'tax-sale', {
        ...{ ...salesDataset, join: ownersDataset, recordUrl: 'https://county.example/pin/{pin}' },
      }),
    ],
  }),
  roll: (county) => ({
    answer: createMockTaxRoll((day) => createRollLines(county, day)),
    entries: [
      entryOf(county, 'fixed-width', 'tax-roll', {
        ...{ document: { path: 'tax/roll.txt' }, cities: rollCities, recordUrl: 'https://county.example/tax/roll' },
      }),
    ],
  }),
  civilview: (county) => ({
    answer: createMockCivilView(`${county.name} County, ${county.state}`, (day) => createSales(county, day)),
    entries: [entryOf(county, 'html-table', 'sales', { site: 'civilview', countyId: '7' })],
  }),
  realauction: (county) => ({
    answer: createMockRealAuction((day) => createSales(county, day)),
    entries: [entryOf(county, 'html-table', 'sales', { site: 'realauction', months })],
  }),
};

function entryOf(
  { state, name, countyFips }: DemoCounty,
  kind: string,
  what: string,
  rest: Readonly<Record<string, unknown>>,
): MockService['entries'][number] {
  return {
    kind,
    name: `${name.toLowerCase()}-${what}`,
    licence: demonstrationLicence(`Fictional records of ${name} County, ${state}`),
    county: { fips: countyFips, state },
    ...rest,
  };
}
