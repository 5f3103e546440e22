import { join } from 'node:path';
import { propertiesFile, readProperties } from '../data/keep-properties.js';
import type { DemoUpstream } from './demo-upstream.js';
import { createResoStandIn } from './stand-in-reso.js';

const host = 'reso.demo-lakes.example';

/** The key of the listing service: it opens fictional listings only, and is written in the open. */
export const listingServiceKey = { name: 'SOURCE_SECRET_DEMONSTRATION', value: 'demonstration' } as const;

/** Creates the listing service of the demonstration, which offers what is kept in its directory, and how it is read. */
export function createListingService(directory: string): DemoUpstream {
  return {
    host,
    timeZone: 'America/New_York',
    answer: createResoStandIn({
      token: listingServiceKey.value,
      readProperties: () => readProperties(join(directory, propertiesFile)),
    }),
    entries: [
      {
        kind: 'reso-odata',
        name: 'demo-lakes',
        licence: {
          class: 'demonstration',
          mayStore: true,
          mayResell: true,
          attribution: 'Demonstration data, fictional properties',
        },
        baseUrl: `https://${host}`,
        marketplace: 'Lakes Multiple Listing (demonstration)',
        secret: listingServiceKey.name,
        requestsPerMinute: 600,
      },
    ],
  };
}
