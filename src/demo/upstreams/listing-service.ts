import { join } from 'node:path';
import { propertiesFile, readProperties } from '../data/keep-properties.js';
import { demonstrationKey, type DemoUpstream } from './demo-upstream.js';
import { createMockReso } from './mock-reso.js';

const host = 'reso.demo-lakes.example';

/** Creates the demonstration's listing service over the data in a directory, and its entry in the file of sources. */
export function createListingService(directory: string): DemoUpstream {
  return {
    host,
    timeZone: 'America/New_York',
    answer: createMockReso({
      token: demonstrationKey.value,
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
        secret: demonstrationKey.name,
        requestsPerMinute: 600,
      },
    ],
  };
}
