import { existsSync, readFileSync } from 'node:fs';
import type { DemoProperty } from './render-property.js';

/** The file in a demonstration's directory with the listing service's data. */
export const propertiesFile = 'properties.json';

/** Every property that the listing service ever offered; none before the first delivery. */
export function readProperties(path: string): readonly DemoProperty[] {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as readonly DemoProperty[]) : [];
}

/**
 * The listing service's data after a day: offered properties with the time of their last change, and former ones,
 * closed. A change is dated at the start of its day, UTC.
 */
export function keepProperties(
  before: readonly DemoProperty[],
  offered: readonly DemoProperty[],
  day: Date,
): readonly DemoProperty[] {
  const changedAt = `${day.toISOString().slice(0, 10)}T00:00:00.000Z`;
  const known = new Map(before.map((property) => [property.ListingKey, property]));
  const keys = new Set(offered.map((property) => property.ListingKey));
  const gone = before
    .filter((property) => !keys.has(property.ListingKey))
    .map((property): DemoProperty => ({ ...property, StandardStatus: 'Closed' }));
  return [...offered, ...gone].map((property) => {
    const last = known.get(property.ListingKey);
    const unchanged = { ...property, ModificationTimestamp: last?.ModificationTimestamp };
    return JSON.stringify(unchanged) === JSON.stringify(last)
      ? unchanged
      : { ...property, ModificationTimestamp: changedAt };
  });
}
