import { createSales } from '../counties/create-sales.js';
import { type DemoCounty, demoCounties } from '../counties/demo-counties.js';
import { countyLayers, delinquencyLayer, parcelLayer } from './county-layers.js';
import { countyDatasets, ownersDataset, salesDataset } from './county-datasets.js';
import { createRollLines, rollCities } from './county-roll.js';
import type { DemoUpstream } from './demo-upstream.js';
import { createListingService } from './listing-service.js';
import { createMockArcgis } from './mock-arcgis.js';
import { createMockCivilView } from './mock-civilview.js';
import { createRentService } from './rent-service.js';
import { createMockRealAuction } from './mock-realauction.js';
import { createMockSocrata } from './mock-socrata.js';
import { createMockTaxRoll } from './mock-tax-roll.js';

/**
 * Creates every mock server of the demonstration: a listing service, HUD's rents, and one for each format of a county.
 * The hosts do not exist (RFC 2606).
 */
export function createDemoUpstreams(directory: string): readonly DemoUpstream[] {
  const counties = demoCounties.flatMap((county) =>
    county.publishes.map((format) => {
      const host = `${format}.demo-${county.name.toLowerCase()}-county.example`;
      return { host, timeZone: county.timeZone, ...openers[format](county, `https://${host}`) };
    }),
  );
  return [createListingService(directory), createRentService(), ...counties];
}

/** Months of RealAuction's calendar: as far ahead as there are sales. */
const months = 3;

const openers: Readonly<
  Record<
    DemoCounty['publishes'][number],
    (county: DemoCounty, baseUrl: string) => Pick<DemoUpstream, 'answer' | 'entries'>
  >
> = {
  arcgis: (county, baseUrl) => ({
    answer: createMockArcgis(countyLayers(county)),
    entries: [
      entryOf(county, 'arcgis', 'delinquent-taxes', {
        baseUrl,
        ...delinquencyLayer,
        recordUrl: `${baseUrl}/parcels/{parcel_number}`,
      }),
      ...(county.hasRoll === undefined
        ? []
        : [
            entryOf(county, 'arcgis', 'parcels', {
              baseUrl,
              ...parcelLayer,
              recordUrl: `${baseUrl}/parcels/{parcel_number}`,
            }),
          ]),
    ],
  }),
  socrata: (county, baseUrl) => ({
    answer: createMockSocrata(countyDatasets(county)),
    entries: [
      entryOf(county, 'socrata', 'tax-sale', {
        baseUrl,
        ...salesDataset,
        join: ownersDataset,
        recordUrl: `${baseUrl}/pin/{pin}`,
      }),
    ],
  }),
  roll: (county, baseUrl) => ({
    answer: createMockTaxRoll((day) => createRollLines(county, day)),
    entries: [
      entryOf(county, 'fixed-width', 'tax-roll', {
        baseUrl,
        document: { path: 'tax/roll.txt' },
        cities: rollCities,
        recordUrl: `${baseUrl}/tax/roll`,
      }),
    ],
  }),
  civilview: (county, baseUrl) => ({
    answer: createMockCivilView(`${county.name} County, ${county.state}`, (day) => createSales(county, day)),
    entries: [entryOf(county, 'html-table', 'sheriff-sales', { baseUrl, site: 'civilview', countyId: '7' })],
  }),
  realauction: (county, baseUrl) => ({
    answer: createMockRealAuction((day) => createSales(county, day)),
    entries: [entryOf(county, 'html-table', 'sheriff-sales', { baseUrl, site: 'realauction', months })],
  }),
};

/** Creates an entry of the file of sources; its rows can never be sold for real money. */
function entryOf(
  { state, name, countyFips }: DemoCounty,
  kind: string,
  what: string,
  rest: Readonly<Record<string, unknown>>,
): DemoUpstream['entries'][number] {
  return {
    kind,
    name: `demo-${state.toLowerCase()}-${name.toLowerCase()}-${what}`,
    licence: {
      class: 'demonstration',
      mayStore: true,
      mayResell: true,
      attribution: `Demonstration data, fictional records of ${name} County, ${state}`,
    },
    county: { fips: countyFips, state },
    requestsPerMinute: 600,
    ...rest,
  };
}
