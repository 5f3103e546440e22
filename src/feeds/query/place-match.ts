import { LRUCache } from 'lru-cache';
import { normalizeCity } from '../../places/addresses/normalize-city.js';
import { foldPlace } from './feed-kind.js';

/**
 * How names of cities are compared: without accents, full stops and apostrophes, and in the spelling of addresses (`St.
 * Louis` and `SAINT LOUIS` are one) where a name is of its letters. A name that is nothing else is compared as any
 * place.
 */
export function foldCity(name: string): string {
  const folded = foldPlace(name);
  const spaced = folded.replace(/\.(?=\p{L})/gu, ' ');
  const plain = spaced.normalize('NFKD').replace(/[\p{M}'\u2019.]+/gu, '');
  const city = normalizeCity(plain.toUpperCase());
  return city.toLowerCase() || foldPlace(plain) || folded;
}

/**
 * Whether a folded county label has a part, such as `cuyahoga`: as it is written, `cuyahoga county, oh`, or without its
 * comma or its kind, `cuyahoga, oh`.
 */
export function createCountyMatch(part: string): (label: string) => boolean {
  const asked = foldPlace(part);
  const bare = withoutCommas(asked);
  // Commas alone are no part of a name.
  if (bare === '') return () => false;
  return (label) => label.includes(asked) || bareForms.memo(label).some((form) => form.includes(bare));
}

/** By label. Each question is held against some thousand of them. */
const bareForms = new LRUCache<string, readonly string[]>({
  max: 10_000,
  memoMethod: (label) => [withoutCommas(label), withoutCommas(label.replace(kind, ','))],
});

const kind = / (county|parish|city|city and borough|borough|municipality|census area|planning region),/;

function withoutCommas(text: string): string {
  return text.replace(/ ?, ?/g, ' ').trim();
}
