/** A circle on the map. */
export interface Circle {
  /** Degrees, of four decimals. */
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusMiles: number;
}

/** Radians per degree. */
export const radians = Math.PI / 180;
/** The mean radius of the earth. */
export const earthMiles = 3_958.8;
export const perDegree = 10_000;
/** Steps of longitude. */
export const longitudes = 360 * perDegree + 1;

/** A point in one number, for one column: whole ten-thousandths of a degree, eleven meters. */
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

/** Creates the function of the miles to a center; it computes the center's part once. */
export function createMeasure({ latitude, longitude }: Pick<Circle, 'latitude' | 'longitude'>) {
  const own = Math.cos(latitude * radians);
  return (north: number, east: number): number => {
    const up = Math.sin((north - latitude) * (radians / 2));
    const aside = Math.sin((east - longitude) * (radians / 2));
    const squared = up * up + own * Math.cos(north * radians) * aside * aside;
    return 2 * earthMiles * Math.asin(Math.min(1, Math.sqrt(squared)));
  };
}

/** The resolution of distances. */
export function tenthsOf(miles: number): number {
  return Math.floor(miles * 10);
}
