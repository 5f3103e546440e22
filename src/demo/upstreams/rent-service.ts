import { coreZips } from '../../places/metros/core-zips.js';
import { hudFigures } from '../../underwriting/rents/hud-figures.js';
import { demoCounties } from '../counties/demo-counties.js';
import { demonstrationKey, type DemoUpstream } from './demo-upstream.js';
import { createMockHud } from './mock-hud.js';

const host = 'hud.demo-rents.example';
const state = 'OH';

/** Creates the demonstration's mock server for HUD: HUD's published figures of its counties in one state. */
export function createRentService(): DemoUpstream {
  const counties = demoCounties.filter((county) => county.state === state);
  return {
    host,
    timeZone: 'America/New_York',
    answer: createMockHud({
      token: demonstrationKey.value,
      counties: counties.flatMap(({ countyFips }) => {
        const county = latestOf('county', countyFips);
        const zips = coreZips.flatMap((each) => (each.countyFips === countyFips && latestOf('zip', each.zip)) || []);
        return county === undefined ? [] : { state, county, zips };
      }),
    }),
    entries: [
      {
        kind: 'hud-user',
        name: 'demo-oh-rents',
        licence: {
          class: 'demonstration',
          mayStore: true,
          mayResell: true,
          attribution: 'Fair Market Rents of the U.S. Department of Housing and Urban Development',
        },
        baseUrl: `https://${host}`,
        counties: counties.map(({ countyFips: fips }) => ({ fips, state })),
        secret: demonstrationKey.name,
        requestsPerMinute: 600,
      },
    ],
  };
}

function latestOf(kind: 'county' | 'zip', code: string) {
  return hudFigures.rents
    .filter(({ areaKind, areaCode }) => areaKind === kind && areaCode === code)
    .sort((one, other) => other.fiscalYear - one.fiscalYear)[0];
}
