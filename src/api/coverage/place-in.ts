import type { Place } from '../../places/metros/place.js';

const parts = ['state', 'city', 'county', 'countyFips', 'zip', 'metro', 'near'] as const;

export function isPlace(place: Place): boolean {
  return parts.some((part) => place[part] !== undefined);
}

/** The part of a filter that names a place. */
export function placeIn<Filter extends object>(filter: Filter): Pick<Filter, keyof Filter & keyof Place> {
  const names: readonly string[] = parts;
  return Object.fromEntries(Object.entries(filter).filter(([name]) => names.includes(name))) as typeof filter;
}
