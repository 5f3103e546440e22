import type { NormalizedAddress } from './normalized-address.js';

/** From this similarity on, two names may be one, misspelled. */
export const similarFrom = 0.55;

/** The name that is compared: street and suffix. */
export function nameOf(address: NormalizedAddress): string {
  return `${address.street} ${address.suffix}`;
}

/** The words of a name that are numbers or letters, which distinguish roads. */
export function marksOf({ street }: Pick<NormalizedAddress, 'street'>): string {
  const words = street.split(' ').filter((word) => /\d/.test(word) || word.length === 1);
  const designation = /(?:^| )(?:RD|ROAD|HWY|HIGHWAY|RTE|ROUTE) ([A-Z]{2})$/.exec(street)?.[1] ?? '';
  return [...words, designation].join(' ');
}

/**
 * Share of common trigrams of two texts, 0 to 1, with each word padded by two spaces before and one after. Equal texts
 * give 1, texts without words 0. Symmetric.
 */
export function trigramSimilarity(a: string, b: string): number {
  const first = trigramsOf(a);
  const second = trigramsOf(b);
  let common = 0;
  for (const trigram of first) if (second.has(trigram)) common += 1;
  const all = first.size + second.size - common;
  return all === 0 ? 0 : common / all;
}

function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>();
  for (const word of text.split(' ').filter(Boolean)) {
    const padded = `  ${word} `;
    for (let i = 0; i + 3 <= padded.length; i += 1) trigrams.add(padded.slice(i, i + 3));
  }
  return trigrams;
}
