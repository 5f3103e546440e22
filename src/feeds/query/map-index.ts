import { addPosition, createBitmap, flipPosition, hasPosition, type Bitmap } from './bitmap.js';
import type { Candidates } from './candidates.js';
import { createMeasure, earthMiles, longitudes, perDegree, radians, type Circle } from './map-point.js';
import { inSlices, sortByNumber } from './order-rows.js';
import { recordsPerTurn } from './records-per-turn.js';

/** Knows which positions lie in a circle. */
export interface MapIndex {
  /** Keeps these alone. */
  keepWithin(candidates: Candidates, circle: Circle): void;
  /** Takes out of a set what lies in a circle, in no order, and shows how many miles it is from the center. */
  takeWithin(set: Bitmap, circle: Circle, visit: (position: number, miles: number) => void): void;
}

/** The map in bands of so many steps of latitude, some three and a half miles. */
const bandHeight = 500;
const bandCount = Math.ceil((180 * perDegree + 1) / bandHeight);
/** A place within a band is one number: steps of longitude first, so that a band is in order from west to east. */
const placesOfBand = longitudes * bandHeight;

/**
 * Indexes a column of points: band by band from south to north, each from west to east. A circle has a part of each
 * band that it meets; only what lies around its border is measured.
 */
export async function createMapIndex(
  size: number,
  pointAt: (position: number) => number | undefined,
  yieldTurn: () => Promise<void>,
): Promise<MapIndex> {
  const { ordered, places, starts } = await orderPoints(size, pointAt, yieldTurn);

  /** The first of a band's places that is not west of a meridian. */
  function findFirst(band: number, longitude: number): number {
    const wanted = Math.ceil((longitude + 180) * perDegree) * bandHeight;
    let [low, high] = [starts[band] ?? 0, starts[band + 1] ?? 0];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((places[middle] ?? 0) >= wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Shows parts of bands that may lie in a circle: from one index to another, those within `inner` for sure. */
  function eachPart(circle: Circle, see: (band: number, from: number, to: number, inner: number, at: number) => void) {
    const reach = (circle.radiusMiles / 69) * 1.01;
    const last = Math.min(bandOf(circle.latitude + reach), bandCount - 1);
    for (let band = Math.max(0, bandOf(circle.latitude - reach)); band <= last; band++) {
      if (starts[band] === starts[band + 1]) continue;
      const widths = widthsBetween(circle, latitudeAt(band * bandHeight), latitudeAt((band + 1) * bandHeight));
      if (widths === undefined) continue;
      // A circle around the date line goes on at the other side of the map.
      for (const center of [circle.longitude - 360, circle.longitude, circle.longitude + 360]) {
        const from = findFirst(band, center - widths.outer);
        const to = findFirst(band, center + widths.outer + 1 / perDegree);
        if (from < to) see(band, from, to, widths.inner, center);
      }
    }
  }

  // One for all questions: memory for each of them would keep the collector busy.
  const found = createBitmap(size);

  return {
    keepWithin(candidates, circle) {
      found.fill(0);
      const measure = createMeasure(circle);
      eachPart(circle, (band, from, to, inner, center) => {
        const sure = [findFirst(band, center - inner), findFirst(band, center + inner)] as const;
        for (let index = from; index < to; index++) {
          const place = places[index] ?? 0;
          const isSure = index >= sure[0] && index < sure[1];
          if (isSure || measure(latitudeIn(band, place), longitudeIn(place)) <= circle.radiusMiles)
            addPosition(found, ordered[index] ?? 0);
        }
      });
      candidates.keep(found);
    },
    takeWithin(set, circle, visit) {
      const measure = createMeasure(circle);
      eachPart(circle, (band, from, to) => {
        for (let index = from; index < to; index++) {
          const position = ordered[index] ?? 0;
          if (!hasPosition(set, position)) continue;
          flipPosition(set, position);
          const place = places[index] ?? 0;
          visit(position, measure(latitudeIn(band, place), longitudeIn(place)));
        }
      });
    },
  };
}

/** By itself: the memory that it takes meanwhile would stay as long as the index. */
async function orderPoints(
  size: number,
  pointAt: (position: number) => number | undefined,
  yieldTurn: () => Promise<void>,
) {
  const [ordered, keys] = [new Uint32Array(size), new Float64Array(size)];
  /** Where each band begins. */
  const starts = new Uint32Array(bandCount + 1);
  let count = 0;
  const read = (from: number, to: number): void => {
    for (let position = from; position < to; position++) {
      const point = pointAt(position);
      if (point === undefined) continue;
      const north = Math.floor(point / longitudes);
      const band = Math.floor(north / bandHeight);
      keys[count] = band * placesOfBand + (point - north * longitudes) * bandHeight + (north % bandHeight);
      ordered[count++] = position;
      starts[band + 1] = (starts[band + 1] ?? 0) + 1;
    }
  };
  await inSlices(size, read, yieldTurn, recordsPerTurn);
  for (let band = 0; band < bandCount; band++) starts[band + 1] = (starts[band + 1] ?? 0) + (starts[band] ?? 0);
  const numbered = { rows: ordered.slice(0, count), numbers: keys.subarray(0, count) };
  await sortByNumber(numbered, yieldTurn);
  /** Within their bands. */
  const places = new Uint32Array(count);
  const place = (from: number, to: number): void => {
    for (let index = from; index < to; index++) places[index] = (numbered.numbers[index] ?? 0) % placesOfBand;
  };
  await inSlices(count, place, yieldTurn);
  return { ordered: numbered.rows, places, starts };
}

function latitudeAt(steps: number): number {
  return steps / perDegree - 90;
}

function bandOf(latitude: number): number {
  return Math.floor(((latitude + 90) * perDegree) / bandHeight);
}

function latitudeIn(band: number, place: number): number {
  return latitudeAt(band * bandHeight + (place % bandHeight));
}

function longitudeIn(place: number): number {
  return Math.floor(place / bandHeight) / perDegree - 180;
}

/** The part of a parallel inside a circle, in degrees on both sides of its center. */
interface HalfWidths {
  /** Points farther away are outside. */
  readonly outer: number;
  /** Points nearer than this are inside. */
  readonly inner: number;
}

/** The widths of a circle on all parallels between two; undefined if it reaches none. Points in a hair are measured. */
function widthsBetween(circle: Circle, south: number, north: number): HalfWidths | undefined {
  const { latitude, radiusMiles } = circle;
  const reach = radiusMiles / earthMiles;
  const nearest = Math.max(0, south - latitude, latitude - north) * radians;
  if (nearest > reach + hair) return undefined;
  const farthest = Math.max(Math.abs(south - latitude), Math.abs(north - latitude)) * radians;
  const own = Math.cos(latitude * radians);
  const cosines = [Math.cos(south * radians), Math.cos(north * radians)].map((each) => Math.max(0, each));
  const widest = south <= 0 && north >= 0 ? 1 : Math.max(...cosines);
  const widthAt = (away: number, cosine: number) => {
    const left = Math.sin(reach / 2) ** 2 - Math.sin(away / 2) ** 2;
    return left <= 0 ? 0 : (2 * Math.asin(Math.min(1, Math.sqrt(left / (own * cosine))))) / radians;
  };
  return {
    outer: widthAt(nearest, Math.min(...cosines)) + hair / radians,
    inner: widthAt(farthest, widest) - hair / radians,
  };
}

const hair = 1e-6;
