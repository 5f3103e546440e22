import { addPosition, createBitmap } from './bitmap.js';
import type { Candidates } from './candidates.js';
import { latitudeOf, longitudeOf, milesFrom, widthsBetween, type Circle } from './map-point.js';
import { sortRows } from './order-rows.js';
import { recordsPerTurn } from './records-per-turn.js';

/** Knows which positions lie in a circle. */
export interface MapIndex {
  /** Keeps these alone. */
  keepWithin(candidates: Candidates, circle: Circle): void;
}

/** The map in bands of so many degrees of latitude, some three and a half miles. */
const bandHeight = 0.05;

/**
 * Indexes a column of points: band by band from south to north, each from west to east. A circle has a part of each
 * band that it meets; only what lies around its border is measured.
 */
export async function createMapIndex(
  size: number,
  pointAt: (position: number) => number | undefined,
  yieldTurn: () => Promise<void>,
): Promise<MapIndex> {
  const points = new Float64Array(size);
  const keys = new Float64Array(size);
  const present = new Uint32Array(size);
  let count = 0;
  for (let position = 0; position < size; position++) {
    if (position % recordsPerTurn === 0) await yieldTurn();
    const point = pointAt(position);
    if (point === undefined) continue;
    points[position] = point;
    keys[position] = bandOf(latitudeOf(point)) * 1_000 + longitudeOf(point);
    present[count++] = position;
  }
  const byKey = (one: number, other: number): number => (keys[one] ?? 0) - (keys[other] ?? 0);
  const ordered = await sortRows(present.subarray(0, count), byKey, yieldTurn);
  /** Of the ordered ones. */
  const own = Float64Array.from(ordered, (position) => points[position] ?? 0);
  const firstOf = (band: number): number => findFirst(0, count, (place) => bandOf(latitudeOf(own[place] ?? 0)) >= band);

  // One for all questions: memory for each of them would keep the collector busy.
  const found = createBitmap(size);

  /** Adds what lies in a band between two meridians. Those between the inner ones are in the circle for sure. */
  function addBetween(circle: Circle, [from, to]: readonly number[], center: number, inner: number, outer: number) {
    const westOf = (longitude: number) => (place: number) => longitudeOf(own[place] ?? 0) >= longitude;
    const start = findFirst(from ?? 0, to ?? 0, westOf(center - outer));
    for (let place = start; place < (to ?? 0); place++) {
      const away = Math.abs(longitudeOf(own[place] ?? 0) - center);
      if (away > outer) break;
      if (away < inner || milesFrom(circle, own[place] ?? 0) <= circle.radiusMiles)
        addPosition(found, ordered[place] ?? 0);
    }
  }

  return {
    keepWithin(candidates, circle) {
      found.fill(0);
      const reach = (circle.radiusMiles / 69) * 1.01;
      const last = bandOf(circle.latitude + reach);
      let from = firstOf(bandOf(circle.latitude - reach));
      for (let band = bandOf(circle.latitude - reach); band <= last && from < count; band++) {
        const to = findFirst(from, count, (place) => bandOf(latitudeOf(own[place] ?? 0)) > band);
        const widths = widthsBetween(circle, band * bandHeight, (band + 1) * bandHeight);
        if (widths !== undefined && to > from)
          // A circle around the date line goes on at the other side of the map.
          for (const turn of [-360, 0, 360])
            addBetween(circle, [from, to], circle.longitude + turn, widths.inner, widths.outer);
        from = to;
      }
      candidates.keep(found);
    },
  };
}

function bandOf(latitude: number): number {
  return Math.floor(latitude / bandHeight);
}

/** The first place from which on a test holds. */
function findFirst(from: number, to: number, test: (place: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
