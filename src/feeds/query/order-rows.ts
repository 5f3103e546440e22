import { endianness } from 'node:os';
import { recordsPerTurn } from './records-per-turn.js';

/** Pieces this small are sorted at once. */
const pieceSize = 1_024;

type Compare = (one: number, other: number) => number;
type YieldTurn = () => Promise<void>;

/** Sorts by a total order without holding up the event loop, however many there are. Leaves `rows` as they are. */
export async function sortRows(rows: Uint32Array, compare: Compare, yieldTurn: YieldTurn): Promise<Uint32Array> {
  let [from, to] = [rows.slice(), new Uint32Array(rows.length)];
  for (let start = 0; start < from.length; start += pieceSize) {
    from.subarray(start, start + pieceSize).sort(compare);
    await yieldTurn();
  }
  for (let width = pieceSize; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      const [left, right] = [from.subarray(start, start + width), from.subarray(start + width, start + 2 * width)];
      await mergeInto(to.subarray(start), left, right, compare, yieldTurn);
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two ordered lists into one. */
export async function mergeRows(
  left: Uint32Array,
  right: Uint32Array,
  compare: Compare,
  yieldTurn: YieldTurn,
): Promise<Uint32Array> {
  const merged = new Uint32Array(left.length + right.length);
  await mergeInto(merged, left, right, compare, yieldTurn);
  return merged;
}

async function mergeInto(
  merged: Uint32Array,
  left: Uint32Array,
  right: Uint32Array,
  compare: Compare,
  yieldTurn: YieldTurn,
): Promise<void> {
  let [fromLeft, fromRight] = [0, 0];
  const merge = (start: number, end: number): void => {
    for (let index = start; index < end; index++) {
      const [one, other] = [left[fromLeft], right[fromRight]];
      const isLeft = other === undefined || (one !== undefined && compare(one, other) <= 0);
      merged[index] = (isLeft ? one : other) ?? 0;
      if (isLeft) fromLeft++;
      else fromRight++;
    }
  };
  await inSlices(left.length + right.length, merge, yieldTurn, recordsPerTurn);
}

/** Simple steps between two turns. */
const stepsPerTurn = 10_000;

/** Runs simple steps up to a count, a slice at a time: what runs them knows nothing of turns, and is compiled well. */
export async function inSlices(
  count: number,
  run: (start: number, end: number) => void,
  yieldTurn: YieldTurn,
  most = stepsPerTurn,
): Promise<void> {
  for (let start = 0; start < count; start += most) {
    run(start, Math.min(start + most, count));
    await yieldTurn();
  }
}

/** Rows with their numbers, in the order of these. */
export interface Numbered {
  readonly rows: Uint32Array;
  readonly numbers: Float64Array;
}

/** Rows with their keys of two words: the bits of a number, so written that they are in order as they are. */
interface Keyed {
  readonly rows: Uint32Array;
  readonly keys: Uint32Array;
}

interface Digit {
  readonly word: number;
  readonly shift: number;
}

const digitBits = 11;
const digitCount = 2 ** digitBits;
const signBit = 2 ** 31;
const [lower, upper] = endianness() === 'LE' ? [0, 1] : [1, 0];
/** The digits of a key, the least first. */
const digits: readonly Digit[] = [lower, upper].flatMap((word) =>
  [0, 1, 2].map((place) => ({ word, shift: place * digitBits })),
);

/**
 * Sorts rows by their numbers, in place; equal ones stay as they stand. Digit by digit, a slice at a time: a tenth of
 * the time that comparing takes. Row and key move together, so that memory is read from one end to the other.
 */
export async function sortByNumber({ rows, numbers }: Numbered, yieldTurn: YieldTurn): Promise<void> {
  const { length } = rows;
  const keys = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * length);
  const write = (start: number, end: number): void => {
    for (let index = start; index < end; index++) {
      // Zero has one form.
      numbers[index] = (numbers[index] ?? 0) + 0;
      const [low, high] = [2 * index + lower, 2 * index + upper];
      const isNegative = (keys[high] ?? 0) >= signBit;
      if (isNegative) keys[low] = ~(keys[low] ?? 0);
      keys[high] = isNegative ? ~(keys[high] ?? 0) : (keys[high] ?? 0) + signBit;
    }
  };
  await inSlices(length, write, yieldTurn);
  let from: Keyed = { rows, keys };
  let to: Keyed = { rows: new Uint32Array(length), keys: new Uint32Array(2 * length) };
  await yieldTurn();
  for (const digit of digits) {
    const [source, target, starts] = [from, to, new Uint32Array(digitCount)];
    await inSlices(length, (start, end) => count(source, digit, starts, start, end), yieldTurn);
    if (starts.includes(length)) continue;
    addUp(starts);
    await inSlices(length, (start, end) => move(source, target, digit, starts, start, end), yieldTurn);
    [from, to] = [to, from];
  }
  if (from.rows !== rows) {
    rows.set(from.rows);
    await yieldTurn();
    keys.set(from.keys);
    await yieldTurn();
  }
  const read = (start: number, end: number): void => {
    for (let index = start; index < end; index++) {
      const [low, high] = [2 * index + lower, 2 * index + upper];
      const isNegative = (keys[high] ?? 0) < signBit;
      if (isNegative) keys[low] = ~(keys[low] ?? 0);
      keys[high] = isNegative ? ~(keys[high] ?? 0) : (keys[high] ?? 0) - signBit;
    }
  };
  await inSlices(length, read, yieldTurn);
}

function count({ keys }: Keyed, { word, shift }: Digit, counts: Uint32Array, start: number, end: number): void {
  for (let index = start; index < end; index++) {
    const digit = ((keys[2 * index + word] ?? 0) >>> shift) & (digitCount - 1);
    counts[digit] = (counts[digit] ?? 0) + 1;
  }
}

/** Makes of how many there are of each digit where the first of them goes. */
function addUp(counts: Uint32Array): void {
  let sum = 0;
  for (const [digit, own] of counts.entries()) {
    counts[digit] = sum;
    sum += own;
  }
}

function move(from: Keyed, to: Keyed, { word, shift }: Digit, starts: Uint32Array, start: number, end: number): void {
  const { rows, keys } = from;
  const { rows: toRows, keys: toKeys } = to;
  for (let index = start; index < end; index++) {
    const digit = ((keys[2 * index + word] ?? 0) >>> shift) & (digitCount - 1);
    const place = starts[digit] ?? 0;
    starts[digit] = place + 1;
    toRows[place] = rows[index] ?? 0;
    toKeys[2 * place] = keys[2 * index] ?? 0;
    toKeys[2 * place + 1] = keys[2 * index + 1] ?? 0;
  }
}
