import { closest, distance } from 'fastest-levenshtein';

/** ` Did you mean deals?` when a name starts with the text or is similar; else an empty string. */
export function suggest(name: string, names: readonly string[], prefix = ''): string {
  const meant = names.find((each) => name !== '' && each.startsWith(name)) ?? findNear(name, names);
  return meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`;
}

function findNear(name: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const nearest = closest(name, [...names]);
  return distance(name, nearest) <= Math.max(2, Math.floor(name.length / 3)) ? nearest : undefined;
}
