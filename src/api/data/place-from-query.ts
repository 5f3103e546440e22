import type { PlaceFilter } from '../../feeds/query/place-rules.js';
import { findCentroid } from '../../places/metros/zip-centroids.js';
import { cures } from '../../wire/parameter-faults.js';

/** The parameters that name a place. */
export interface PlaceQuery {
  readonly near?: string;
  /** Miles. */
  readonly radius?: number;
}

/** Each converts a parameter of a place to a filter. */
export const placeFromQuery = {
  state: (state: readonly string[]): PlaceFilter => ({ state: state.map((code) => code.toUpperCase()) }),
  county: (county: string): PlaceFilter => (isOfCodes(county) ? { countyFips: county.split(',') } : { county }),
  zip: (zip: readonly string[]): PlaceFilter => ({ zip }),
  metro: (metro: readonly string[]): PlaceFilter => ({ metro }),
  near(text: string, { radius = 10 }: PlaceQuery): PlaceFilter {
    const center = readCenter(text);
    return typeof center === 'string' ? {} : { near: { ...center, radiusMiles: radius } };
  },
  radius: (): PlaceFilter => ({}),
};

/** The center of a circle, to four decimals; or what is wrong with the text. */
export function readCenter(text: string): { readonly latitude: number; readonly longitude: number } | string {
  if (/^\d{5}$/.test(text)) return findCentroid(text) ?? `${text} has no area of its own; give latitude,longitude`;
  const [, north, east] = /^(-?\d{1,3}(?:\.\d{1,12})?),(-?\d{1,3}(?:\.\d{1,12})?)$/.exec(text) ?? [];
  if (north === undefined || east === undefined) return cures.center;
  const [latitude, longitude] = [Number(Number(north).toFixed(4)), Number(Number(east).toFixed(4))];
  if (Math.abs(latitude) > 90) return 'latitude -90 to 90';
  if (Math.abs(longitude) > 180) return 'longitude -180 to 180';
  return { latitude, longitude };
}

/** Whether a county is named by FIPS codes alone. */
function isOfCodes(county: string): boolean {
  return county.split(',').every((part) => /^\d{5}$/.test(part));
}

/** What is wrong with a county: at most 20 codes, or one name of at most 80 characters. */
export function findCountyFault(county: string): string | undefined {
  const parts = county.split(',');
  if (isOfCodes(county)) return parts.length > 20 ? 'at most 20 FIPS codes' : undefined;
  if (parts.some((part) => /^\s*\d{5}\s*$/.test(part))) return 'FIPS codes such as 39095,39035, or one name';
  return county.length > 80 ? 'at most 80 characters' : undefined;
}
