import { findNearest, findNearestName } from './nearest.js';
import {
  readChoice,
  readDate,
  readNumber,
  readPercent,
  readState,
  readTimestamp,
  readUsd,
  readWhole,
  readZip,
  type AskedParameter,
  type Read,
} from './readings.js';

/** What is wrong with a value: the cure, and the value that is nearest. */
export interface ValueFault {
  readonly detail: string;
  readonly nearest?: string;
}

interface Kind {
  readonly fits: RegExp;
  /** What to write instead of the text; `read`: what it clearly means. */
  readonly cure: (parameter: AskedParameter, read: string | undefined, text: string) => string;
  readonly read: Read;
}

/** JSON's grammar; an exponent of three digits would turn small numbers into zero. */
export const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?$/;

const such = (read: string | undefined, example = ''): string =>
  read === undefined ? `such as ${example}` : `write ${read}`;
const nothing: Read = () => [];
const anything = /^/;
const truths = ['true', 'false'];

/** What the server says of its own of a value that the contract takes as a text. */
export const cures = { moment: 'a date such as 2026-12-01', center: 'a ZIP such as 43609, or 41.65,-83.54' };

/** How each kind of parameter is written, for server and command alike. */
const kinds = {
  usd: { fits: jsonNumber, cure: (_, read) => `digits only, ${such(read, '150000')}`, read: readUsd },
  percent: { fits: jsonNumber, cure: (_, read) => `percent without the sign, ${such(read, '8.5')}`, read: readPercent },
  number: { fits: jsonNumber, cure: ({ example }, read) => `a number, ${such(read, example)}`, read: readNumber },
  integer: {
    fits: jsonNumber,
    cure: ({ example }, read) => `a whole number, ${such(read, example)}`,
    read: readWhole,
  },
  boolean: { fits: /^(true|false)$/, cure: () => 'true or false', read: (text) => findNearest(text, truths) },
  choice: { fits: anything, cure: () => '', read: readChoice },
  state: {
    fits: /^[A-Za-z]{2}$/,
    cure: () => 'a two-letter code such as OH; several with commas: OH,IN',
    read: readState,
  },
  zip: { fits: /^\d{5}$/, cure: () => 'five digits such as 43609', read: readZip },
  date: { fits: /^\d{4}-\d{2}-\d{2}$/, cure: () => cures.moment, read: readDate },
  moment: { fits: /^\d{4}-\d{2}-\d{2}(T|$)/, cure: () => cures.moment, read: readDate },
  timestamp: { fits: /^\d{4}-\d{2}-\d{2}T/, cure: () => 'a moment such as 2026-12-01T05:00:00Z', read: readTimestamp },
  center: { fits: anything, cure: () => cures.center, read: nothing },
  payment_id: {
    fits: /^0x[0-9a-f]{64}$/,
    cure: (_, __, text) => `0x and 64 hexadecimal digits in lower case; yours has ${text.replace(/^0x/i, '').length}`,
    read: (text) => /^0x[0-9a-f]{64}$/.exec(text.trim().toLowerCase()) ?? [],
  },
  text: { fits: anything, cure: ({ example }) => such(undefined, example), read: nothing },
} as const satisfies Readonly<Record<string, Kind>>;

function kindOf({ kind = '', values, type }: AskedParameter): Kind {
  const name = [kind, values === undefined ? type : 'choice'].find((each) => Object.hasOwn(kinds, each)) ?? 'text';
  return kinds[name as keyof typeof kinds];
}

/** What is wrong with a value, or with one of a list, that a parameter refuses. */
export function explainValue(parameter: AskedParameter, text: string): ValueFault {
  const { values } = parameter;
  const kind = kindOf(parameter);
  if (kind.fits === jsonNumber && countDigits(text) > mostDigits) return { detail: `at most ${mostDigits} digits` };
  if (kind !== kinds.choice || values === undefined)
    return { detail: kind.cure(parameter, readClearly(kind, parameter, text), text) };
  const near = findNearest(text, values);
  const all = `one of ${listNames(values)}`;
  if (near.length === 0) return { detail: all };
  const question = `did you mean ${near.join(' or ')}?`;
  return { detail: all.length > fewLetters ? question : `${all}; ${question}`, ...onlyOne(near) };
}

/** What is wrong with a name that no parameter has. */
export function explainName(name: string, known: readonly string[]): ValueFault {
  if (known.length === 0) return { detail: 'unknown; no parameter is taken here' };
  const near = findNearestName(name, known);
  if (near.length === 0) return { detail: `unknown; known: ${listNames(known)}` };
  return { detail: `unknown; did you mean ${near.join(' or ')}?`, ...onlyOne(near) };
}

/** Whether the parameter takes a text as it stands; bounds aside. */
export function fitsKind(parameter: AskedParameter, text: string): boolean {
  const { fits } = kindOf(parameter);
  return fits.test(text) && (parameter.values?.includes(text) ?? true);
}

/** What a person may mean by a text that does not fit; `today` is theirs. */
export function readingsOf(parameter: AskedParameter, text: string, today: Date): readonly string[] {
  return kindOf(parameter).read(text, parameter, today);
}

/** How many digits a number has that none is lost of. */
export const mostDigits = 15;

export function countDigits(text: string): number {
  const digits = text.replace(/[eE].*$/, '').replaceAll(/[^0-9]/g, '');
  return digits.replace(/^0+/, '').length;
}

/** Numbers alone: what a date means depends on the day. */
function readClearly(kind: Kind, parameter: AskedParameter, text: string): string | undefined {
  const [read, ...others] = kind.fits === jsonNumber ? kind.read(text, parameter, new Date(0)) : [];
  return others.length === 0 ? read : undefined;
}

function onlyOne([nearest, ...others]: readonly string[]): { readonly nearest?: string } {
  return nearest === undefined || others.length > 0 ? {} : { nearest };
}

/** A list up to this is told beside what is near. */
const fewLetters = 60;
const mostLetters = 280;

/** Names with commas, as many as fit into 280 letters. */
function listNames(names: readonly string[]): string {
  const all = names.join(', ');
  return all.length <= mostLetters ? all : all.slice(0, all.lastIndexOf(', ', mostLetters - 5)) + ', ...';
}
