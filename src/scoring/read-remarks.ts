import { negations, remarksTopics, remarksWords, type RemarksTopic } from './remarks-words.js';

/** The topics that remarks speak of. */
export type RemarksReading = ReadonlySet<RemarksTopic>;

/** An appeal, and no negation of what follows. */
const neverLasts = /\b(?:wont|will not|cannot|cant) last\b/g;

/** The longest remarks that are read; what follows is ignored. */
const readableCharacters = 10_000;

/**
 * Reads public remarks for the phrases of `remarks-words.ts`, as whole words and without regard to case or punctuation.
 * A phrase does not count with a negation among the three words before it in its clause ("no seller financing").
 * Pure; linear in the length of the remarks.
 */
export function readRemarks(remarks: string): RemarksReading {
  if (remarks === '') return silence;
  const text = normalise(remarks);
  const topics = new Set<RemarksTopic>();
  for (const { topic, phrases } of listeners) {
    for (const match of text.matchAll(phrases)) {
      if (isNegated(text, match.index)) continue;
      topics.add(topic);
      break;
    }
  }
  return topics;
}

/** Words between single spaces, with one at either end; "." stands for the end of a sentence. */
function normalise(remarks: string): string {
  const words = remarks
    .slice(0, readableCharacters)
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[.;:!?\n\u2013\u2014]+| - /g, ' . ')
    .replace(neverLasts, ' . ')
    .replace(/[^a-z0-9.]+/g, ' ')
    .trim();
  return ` ${words} `;
}

function isNegated(text: string, at: number): boolean {
  const sentence = text.lastIndexOf('.', at) + 1;
  const before = text
    .slice(Math.max(sentence, at - 60), at)
    .trim()
    .split(' ')
    .slice(-3);
  return before.some((word) => negationSet.has(word));
}

const silence: RemarksReading = new Set();

const negationSet: ReadonlySet<string> = new Set(negations);

const listeners = remarksTopics.map((topic) => {
  const longestFirst = [...remarksWords[topic]].sort((a, b) => b.length - a.length);
  return { topic, phrases: new RegExp(` (?:${longestFirst.join('|')})(?= )`, 'g') };
});
