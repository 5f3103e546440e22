import { directionals, streetSuffixes, cardinalWords, ordinalWords } from '../tables/words.js';

/**
 * Splits cleaned street text into normalized words: number words to digits, ordinals to `9TH`, SAINT to ST, FT to FORT,
 * MT to MOUNT, AND to &. Idempotent.
 */
export function tokenize(text: string): string[] {
  return shortenSaint(joinSplitOrdinals(digitise(splitWords(text))));
}

/** `9` -> `9TH`. */
export function ordinalOf(value: number): string {
  const lastTwo = value % 100;
  const ending = lastTwo >= 11 && lastTwo <= 13 ? 'TH' : (['TH', 'ST', 'ND', 'RD'][value % 10] ?? 'TH');
  return `${String(value)}${ending}`;
}

const sameWords: ReadonlyMap<string, string> = new Map([
  ['AND', '&'],
  ['FT', 'FORT'],
  ['MT', 'MOUNT'],
]);

function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const chunk of text.split(' ')) {
    // Hyphens matter inside numbers and unit identifiers (1-4, B-12); between letters they are spaces.
    const parts = /\d/.test(chunk) ? [chunk.replace(/^[-/]+|[-/]+$/g, '')] : chunk.split(/[-/]/);
    for (const part of parts) if (part !== '') words.push(sameWords.get(part) ?? part);
  }
  return words;
}

function digitise(words: readonly string[]): string[] {
  const digits: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    const next = words[i + 1] ?? '';
    const cardinal = cardinalWords.get(word);
    if (cardinal !== undefined && cardinal >= 20) {
      const small = ordinalWords.get(next) ?? cardinalWords.get(next) ?? 10;
      if (small < 10) i += 1;
      digits.push(compound(cardinal, small, ordinalWords.has(next)));
    } else digits.push(digitiseWord(word, cardinal));
  }
  return digits;
}

function compound(tens: number, small: number, isOrdinal: boolean): string {
  if (small >= 10) return String(tens);
  return isOrdinal ? ordinalOf(tens + small) : String(tens + small);
}

function digitiseWord(word: string, cardinal: number | undefined): string {
  if (cardinal !== undefined) return String(cardinal);
  const ordinal = ordinalWords.get(word) ?? Number(/^(\d{1,4})(?:ST|ND|RD|TH)$/.exec(word)?.[1] ?? NaN);
  return Number.isNaN(ordinal) ? word : ordinalOf(ordinal);
}

/** `93 RD ST` -> `93RD ST`: the ending is separate and a suffix follows. */
function joinSplitOrdinals(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    const isSplit =
      /^\d{1,4}$/.test(word) &&
      ordinalOf(Number(word)) === `${String(Number(word))}${words[i + 1] ?? ''}` &&
      streetSuffixes.has(words[i + 2] ?? '');
    joined.push(isSplit ? ordinalOf(Number(word)) : word);
    if (isSplit) i += 1;
  }
  return joined;
}

/** SAINT CLAIR AVE -> ST CLAIR AVE; a street named only Saint keeps the word. */
function shortenSaint(words: readonly string[]): string[] {
  return words.map((word, index) =>
    word === 'SAINT' && words.slice(index + 1).some((later) => !streetSuffixes.has(later) && !directionals.has(later))
      ? 'ST'
      : word,
  );
}
