import { parse } from 'lossless-json';

/** A number of 16 digits or more, or one in exponent form. Such a text within a string costs time, and nothing else. */
const mayLoseDigits = /(?:^|[:,[\s])-?(?:\d{16}|\d+(?:\.\d+)?[eE])/;
/** No figure of a record is as large, but numbers of parcels and accounts are. */
const largestFigure = 1e10;

/**
 * The value of a JSON text, in which no number loses a digit: integers beyond 2^53 are read as text, and so are numbers
 * above 10^10 in exponent form. Undefined where the text is no JSON.
 */
export function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return mayLoseDigits.test(text)
      ? parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue })
      : value;
  } catch {
    return undefined;
  }
}

function parseNumber(text: string): number | string {
  const value = Number(text);
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(value) ? value : text;
  return /e/i.test(text) && Math.abs(value) > largestFigure ? text : value;
}
