import { readTable } from '../../project-file.js';

const states = readTable('src/places/data/states.csv', {
  code: /^[A-Z]{2}$/,
  name: /^[A-Z ]+$/,
  fips: /^\d\d$/,
  time_zone: /^\w+\/\w+$/,
  zip_prefixes: /^\d{3}(-\d{3})?( \d{3}(-\d{3})?)*$/,
});

/** The first two digits of a county's FIPS code by state: 50 states, the District of Columbia, and five territories. */
export const stateFips: ReadonlyMap<string, string> = new Map(states.map(({ code, fips }) => [code, fips]));

/** IANA zone of a state by FIPS code; in a state with two zones, the zone of most counties. */
export const stateTimeZones: ReadonlyMap<string, string> = new Map(
  states.map(({ fips, time_zone: zone }) => [fips, zone]),
);

const statesByPrefix = new Map<string, string[]>();
for (const { code, zip_prefixes: ranges } of states) {
  for (const range of ranges.split(' ')) {
    const [first = 0, last = first] = range.split('-').map(Number);
    for (let prefix = first; prefix <= last; prefix++) {
      const key = String(prefix).padStart(3, '0');
      statesByPrefix.set(key, [...(statesByPrefix.get(key) ?? []), code].sort());
    }
  }
}

/** Two-letter codes of the states in which a ZIP may lie, by its first three digits; empty when unknown. */
export function findStatesOfZip(zip: string): readonly string[] {
  return statesByPrefix.get(zip.slice(0, 3)) ?? [];
}
