import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSales } from '../counties/create-sales.js';
import { type DemoCounty, demoCounties } from '../counties/demo-counties.js';
import { demoMetros } from '../data/demo-places.js';
import { propertiesFile, readProperties } from '../data/render-property.js';
import { countyLayers, delinquencyLayer, parcelLayer } from './county-layers.js';
import { newestRents, rentEntries, rentLicence, writeRentFiles } from './demo-rents.js';
import { countyDatasets, ownersDataset, salesDataset } from './county-datasets.js';
import { createRollLines, rollCities, createMockTaxRoll } from './mock-tax-roll.js';
import { createMockArcgis } from './mock-arcgis.js';
import { createMockCivilView } from './mock-civilview.js';
import { createMockHud } from './mock-hud.js';
import { createMockRealAuction } from './mock-realauction.js';
import { createMockReso } from './mock-reso.js';
import { demonstrationKey, demonstrationLicence, type DemoUpstream } from './mock-server.js';
import { createMockSocrata } from './mock-socrata.js';

/**
 * Creates every mock server of the demonstration: a listing service, HUD's rents, and one for each format of a county.
 * The hosts do not exist (RFC 2606).
 */
export function createDemoUpstreams(directory: string): readonly DemoUpstream[] {
  const counties = demoCounties.flatMap((county) =>
    county.publishes.map((format) => {
      const host = `${format}.demo-${county.name.toLowerCase()}-county.example`;
      return { host, countyFips: county.countyFips, ...openers[format](county, `https://${host}`) };
    }),
  );
  return [createListingService(directory), createRentService(), ...counties];
}

/** The file in a demonstration's directory that lists its servers. */
export const demonstrationSourcesFile = 'sources.json';

/** Writes the files of rents, and the file of sources with them and the servers of a day. */
export async function writeDemonstrationSources(directory: string, day: Date): Promise<void> {
  const comment = 'The fictional servers of the demonstration. They run inside this server, which rewrites this file.';
  await writeRentFiles(directory);
  const sources = [...createDemoUpstreams(directory).flatMap(({ entries }) => entries), ...rentEntries(day)];
  const path = join(directory, demonstrationSourcesFile);
  await writeFile(`${path}.part`, `${JSON.stringify({ comment, sources }, undefined, 2)}\n`);
  await rename(`${path}.part`, path);
}

/** Creates the demonstration's listing service over the data in a directory, and its entry in the file of sources. */
function createListingService(directory: string): DemoUpstream {
  const host = 'reso.demo-lakes.example';
  return {
    host,
    countyFips: '39035',
    answer: createMockReso({
      token: demonstrationKey.value,
      readProperties: () => readProperties(join(directory, propertiesFile)),
    }),
    entries: [
      {
        kind: 'reso-odata',
        name: 'demo-lakes',
        licence: demonstrationLicence('Demonstration data, fictional properties'),
        baseUrl: `https://${host}`,
        marketplace: 'Lakes Multiple Listing (demonstration)',
        secret: demonstrationKey.name,
        requestsPerMinute: 600,
      },
    ],
  };
}

/** Creates the demonstration's mock server for HUD: HUD's published figures of its counties in one state. */
function createRentService(): DemoUpstream {
  const [host, state] = ['hud.demo-rents.example', 'OH'];
  const counties = demoCounties.filter((county) => county.state === state);
  return {
    host,
    countyFips: '39035',
    answer: createMockHud({
      token: demonstrationKey.value,
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
        name: 'demo-oh-rents',
        licence: rentLicence,
        baseUrl: `https://${host}`,
        counties: counties.map(({ countyFips: fips }) => ({ fips, state })),
        secret: demonstrationKey.name,
        requestsPerMinute: 600,
      },
    ],
  };
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

/** Creates an entry of the file of sources. */
function entryOf(
  { state, name, countyFips }: DemoCounty,
  kind: string,
  what: string,
  rest: Readonly<Record<string, unknown>>,
): DemoUpstream['entries'][number] {
  return {
    kind,
    name: `demo-${state.toLowerCase()}-${name.toLowerCase()}-${what}`,
    licence: demonstrationLicence(`Demonstration data, fictional records of ${name} County, ${state}`),
    county: { fips: countyFips, state },
    requestsPerMinute: 600,
    ...rest,
  };
}
