import { zipPrefixes } from './zip-prefixes.js';

const statesByPrefix = new Map<string, string[]>();
for (const [state, ranges] of Object.entries(zipPrefixes)) {
  for (const range of ranges.split(' ')) {
    const [first, last = first] = range.split('-').map(Number);
    for (let prefix = first ?? 0; prefix <= (last ?? 0); prefix++) {
      const key = String(prefix).padStart(3, '0');
      statesByPrefix.set(key, [...(statesByPrefix.get(key) ?? []), state]);
    }
  }
}

/** Two-letter codes of the states in which a ZIP may lie, by its first three digits; empty when unknown. */
export function findStatesOfZip(zip: string): readonly string[] {
  return statesByPrefix.get(zip.slice(0, 3)) ?? [];
}
