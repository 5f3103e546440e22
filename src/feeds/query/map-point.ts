/** A circle on the map. */
export interface Circle {
  /** Degrees, of four decimals. */
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusMiles: number;
}

/** Degrees to radians. */
const radians = Math.PI / 180;
/** The mean radius of the earth. */
const earthMiles = 3_958.8;
export const perDegree = 10_000;
/** So many steps of longitude there are. */
export const longitudes = 360 * perDegree + 1;

/** A point in one number, so that a record keeps it in one column: whole ten-thousandths of a degree, eleven meters. */
export function toPoint(latitude: number, longitude: number): number {
  return Math.round((latitude + 90) * perDegree) * longitudes + Math.round((longitude + 180) * perDegree);
}

export function latitudeOf(point: number): number {
  return Math.floor(point / longitudes) / perDegree - 90;
}

export function longitudeOf(point: number): number {
  return (point % longitudes) / perDegree - 180;
}

/** Miles between a point and the center of a circle, along the great circle. */
export function milesFrom(center: Pick<Circle, 'latitude' | 'longitude'>, point: number): number {
  return createMeasure(center)(latitudeOf(point), longitudeOf(point));
}

/** What is reckoned of the center is reckoned once. */
export function createMeasure({ latitude, longitude }: Pick<Circle, 'latitude' | 'longitude'>) {
  const own = Math.cos(latitude * radians);
  return (north: number, east: number): number => {
    const up = Math.sin((north - latitude) * (radians / 2));
    const aside = Math.sin((east - longitude) * (radians / 2));
    const squared = up * up + own * Math.cos(north * radians) * aside * aside;
    return 2 * earthMiles * Math.asin(Math.min(1, Math.sqrt(squared)));
  };
}

/** Distances are told apart by tenths of a mile. */
export function tenthsOf(miles: number): number {
  return Math.floor(miles * 10);
}

/** Part of a parallel, in degrees on both sides of the center of a circle. */
export interface HalfWidths {
  /** Whoever is farther away is outside. */
  readonly outer: number;
  /** Whoever is nearer is inside. */
  readonly inner: number;
}

/** What a circle has of all parallels between two; undefined where it has none. A hair is left to be measured. */
export function widthsBetween(circle: Circle, south: number, north: number): HalfWidths | undefined {
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
