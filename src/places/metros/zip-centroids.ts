import { readFileSync } from 'node:fs';
import { findProjectFile } from '../../project-file.js';

/** Degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** The center of a ZIP's area; undefined for a ZIP without one, as of post office boxes. */
export function findCentroid(zip: string): Point | undefined {
  table ??= readTable();
  const { zips, degrees } = table;
  let [low, high] = [0, zips.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((zips[middle] ?? 0) < Number(zip)) low = middle + 1;
    else high = middle;
  }
  if (zips[low] !== Number(zip)) return undefined;
  return { latitude: (degrees[2 * low] ?? 0) / perDegree, longitude: (degrees[2 * low + 1] ?? 0) / perDegree };
}

/** The ZIPs whose center lies between two parallels, in degrees. */
export function findZipsBetween(south: number, north: number): readonly string[] {
  table ??= readTable();
  const found: string[] = [];
  for (const [index, zip] of table.zips.entries()) {
    const latitude = (table.degrees[2 * index] ?? 0) / perDegree;
    if (latitude >= south && latitude <= north) found.push(String(zip).padStart(5, '0'));
  }
  return found;
}

/** The table has whole ten-thousandths of a degree. */
const perDegree = 10_000;
let table: ReturnType<typeof readTable> | undefined;

/** ZIPs in ascending order, each with latitude and longitude. */
function readTable(): { readonly zips: Uint32Array; readonly degrees: Int32Array } {
  const text = readFileSync(findProjectFile('src/places/data/zip-centroids.csv'), 'latin1');
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .slice(1);
  const [zips, degrees] = [new Uint32Array(lines.length), new Int32Array(2 * lines.length)];
  lines.forEach((line, index) => {
    const [zip, latitude, longitude] = line.split(',');
    zips[index] = Number(zip);
    degrees.set([Number(latitude), Number(longitude)], 2 * index);
  });
  return { zips, degrees };
}
