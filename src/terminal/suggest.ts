import { closest, distance } from 'fastest-levenshtein';

/** ` Did you mean deals?`, where one of the names is near enough; else nothing. */
export function suggest(name: string, names: readonly string[], prefix = ''): string {
  if (names.length === 0) return '';
  const nearest = closest(name, [...names]);
  const isNear = distance(name, nearest) <= Math.max(2, Math.floor(name.length / 3));
  return isNear ? ` Did you mean ${prefix}${nearest}?` : '';
}
