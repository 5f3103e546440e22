import { isDenied } from './is-denied.js';
import {
  defects,
  lookalikes,
  remarksTopics,
  remarksWords,
  spentNegations,
  type RemarksTopic,
} from './remarks-words.js';

/** The topics that remarks mention. */
export type RemarksReading = ReadonlySet<RemarksTopic>;

/** Only this many characters are read. */
const readableCharacters = 10_000;

/**
 * Reads public remarks for the phrases of `remarks-phrases.csv`, as whole words, ignoring case and punctuation. A
 * denied phrase does not count ("no seller financing", "owner carry? not offered"), nor does its continuation ("no
 * seller financing, land contract"). Pure; linear in the length of the remarks.
 */
export function readRemarks(remarks: string): RemarksReading {
  if (remarks === '') return silence;
  const text = normalise(remarks);
  return new Set(remarksTopics.filter((topic) => isSaid(text, topic)));
}

function isSaid(text: string, topic: RemarksTopic): boolean {
  let deniedUpTo: number | undefined;
  for (const match of text.matchAll(phrasesOf[topic])) {
    const end = match.index + match[0].length;
    const goesOn = deniedUpTo !== undefined && /^(?: ,)?(?: n?or| and)?$/.test(text.slice(deniedUpTo, match.index));
    if (!goesOn && !isDenied(text, match.index, end, defects.has(topic))) return true;
    deniedUpTo = end;
  }
  return false;
}

/** Words and commas between single spaces, with a space at either end; "." and "?" mark the end of a clause. */
function normalise(remarks: string): string {
  const words = remarks
    .slice(0, readableCharacters)
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(lookalikes, (words) => words.replaceAll(' ', ''))
    .replace(/[.;:!?\n\u2013\u2014]+| - /g, (end) => (end.includes('?') ? ' ? ' : ' . '))
    .replace(/,+/g, ' , ')
    .replace(/[^a-z0-9.,?]+/g, ' ');
  return ` ${words} . `.replace(/ +/g, ' ').replace(spent, ' .');
}

const silence: RemarksReading = new Set();

const spent = new RegExp(` (?:${spentNegations.join('|')})(?= )`, 'g');

const phrasesOf = Object.fromEntries(
  remarksTopics.map((topic) => {
    const longestFirst = [...remarksWords[topic]].sort((a, b) => b.length - a.length);
    return [topic, new RegExp(` (?:${longestFirst.join('|')})(?= )`, 'g')];
  }),
) as Record<RemarksTopic, RegExp>;
