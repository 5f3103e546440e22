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
  let [low, high] = [0, table.length / 3];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((table[3 * middle] ?? 0) < Number(zip)) low = middle + 1;
    else high = middle;
  }
  if (table[3 * low] !== Number(zip)) return undefined;
  return { latitude: (table[3 * low + 1] ?? 0) / perDegree, longitude: (table[3 * low + 2] ?? 0) / perDegree };
}

/** The ZIPs whose center lies between two parallels, in degrees. */
export function findZipsBetween(south: number, north: number): readonly string[] {
  table ??= readTable();
  const found: string[] = [];
  for (let index = 0; index < table.length; index += 3) {
    const latitude = (table[index + 1] ?? 0) / perDegree;
    if (latitude >= south && latitude <= north) found.push(String(table[index]).padStart(5, '0'));
  }
  return found;
}

/** The table has whole ten-thousandths of a degree. */
const perDegree = 10_000;
const [lineEnd, minus, zero] = [10, 45, 48];
let table: Int32Array | undefined;

/** ZIPs in ascending order, each with latitude and longitude. Byte by byte: it is read while nobody is served. */
function readTable(): Int32Array {
  const bytes = readFileSync(findProjectFile('src/places/data/zip-centroids.csv'));
  const heading = 'zip,latitude,longitude\n';
  // No line is as short as four bytes a number.
  const numbers = new Int32Array(Math.ceil(bytes.length / 4));
  let [count, value, sign] = [0, 0, 1];
  for (let index = bytes.indexOf(heading) + heading.length; index < bytes.length; index++) {
    const byte = bytes[index] ?? lineEnd;
    if (byte === minus) sign = -1;
    else if (byte >= zero) value = value * 10 + byte - zero;
    else {
      numbers[count++] = sign * value;
      value = 0;
      sign = 1;
    }
  }
  return numbers.slice(0, count);
}
