/** Rows that are compared between two turns of the event loop: some milliseconds. */
const perTurn = 1_000;
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
  for (let count = left.length + right.length; fromLeft + fromRight < count;) {
    const index = fromLeft + fromRight;
    const [one, other] = [left[fromLeft], right[fromRight]];
    if (other === undefined || (one !== undefined && compare(one, other) <= 0)) {
      merged[index] = one ?? 0;
      fromLeft++;
    } else {
      merged[index] = other;
      fromRight++;
    }
    if (index % perTurn === perTurn - 1) await yieldTurn();
  }
  await yieldTurn();
}

/** Simple steps between two turns. */
const stepsPerTurn = 20_000;
const digitBits = 11;
const digitCount = 2 ** digitBits;
/** Of a key: in the lower word, then in the upper one. */
const shifts = [0, 11, 22];

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

/**
 * Sorts rows by their numbers, in place; equal ones stay as they stand. Digit by digit, a slice at a time: a tenth of
 * the time that comparing takes. Row and key move together, so that memory is read from one end to the other.
 */
export async function sortByNumber({ rows, numbers }: Numbered, yieldTurn: YieldTurn): Promise<void> {
  const { length } = rows;
  const coding = await codingOf(numbers, yieldTurn);
  let from = createKeyed(length, rows);
  const counts = [0, 1].map(() => shifts.map(() => new Uint32Array(digitCount)));
  const [[least, lesser, less], [more, greater, greatest]] = counts as [Counts, Counts];
  await inSlices(
    length,
    (start, end) => {
      for (let index = start; index < end; index++) {
        coding.write(numbers[index] ?? 0, from, index);
        const [low, high] = [from.low[index] ?? 0, from.high[index] ?? 0];
        count(least, low & (digitCount - 1));
        count(lesser, (low >>> 11) & (digitCount - 1));
        count(less, low >>> 22);
        count(more, high & (digitCount - 1));
        count(greater, (high >>> 11) & (digitCount - 1));
        count(greatest, high >>> 22);
      }
    },
    yieldTurn,
  );
  let to = createKeyed(length, new Uint32Array(length));
  for (const [word, ofWord] of counts.entries())
    for (const [digit, starts] of ofWord.entries()) {
      if (starts.includes(length)) continue;
      addUp(starts);
      const shift = shifts[digit] ?? 0;
      const [source, target] = [from, to];
      await inSlices(length, (start, end) => move(source, target, { word, shift, starts, start, end }), yieldTurn);
      [from, to] = [to, from];
    }
  if (from.rows !== rows) rows.set(from.rows);
  await inSlices(
    length,
    (start, end) => {
      for (let index = start; index < end; index++) numbers[index] = coding.read(from, index);
    },
    yieldTurn,
  );
}

type Counts = [Uint32Array, Uint32Array, Uint32Array];

function count(counts: Uint32Array, digit: number): void {
  counts[digit] = (counts[digit] ?? 0) + 1;
}

/** Makes of how many there are of each digit where the first of them goes. */
function addUp(counts: Uint32Array): void {
  let sum = 0;
  for (let digit = 0; digit < digitCount; digit++) {
    const own = counts[digit] ?? 0;
    counts[digit] = sum;
    sum += own;
  }
}

/** Rows with their keys, two words each. */
interface Keyed {
  readonly rows: Uint32Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

function createKeyed(length: number, rows: Uint32Array): Keyed {
  return { rows, low: new Uint32Array(length), high: new Uint32Array(length) };
}

interface Move {
  readonly word: number;
  readonly shift: number;
  readonly starts: Uint32Array;
  readonly start: number;
  readonly end: number;
}

function move(from: Keyed, to: Keyed, { word, shift, starts, start, end }: Move): void {
  const { rows, low, high } = from;
  const { rows: toRows, low: toLow, high: toHigh } = to;
  const digits = word === 0 ? low : high;
  for (let index = start; index < end; index++) {
    const digit = ((digits[index] ?? 0) >>> shift) & (digitCount - 1);
    const place = starts[digit] ?? 0;
    starts[digit] = place + 1;
    toRows[place] = rows[index] ?? 0;
    toLow[place] = low[index] ?? 0;
    toHigh[place] = high[index] ?? 0;
  }
}

/** How numbers are written as keys that are in order as they are, and read again. */
interface Coding {
  readonly write: (number: number, to: Keyed, index: number) => void;
  readonly read: (from: Keyed, index: number) => number;
}

/** Whole numbers by how far they are from the least, so that few digits differ; others by their bits. */
async function codingOf(numbers: Float64Array, yieldTurn: YieldTurn): Promise<Coding> {
  let [least, most, isWhole] = [Infinity, -Infinity, true];
  await inSlices(
    numbers.length,
    (start, end) => {
      for (let index = start; index < end; index++) {
        const number = numbers[index] ?? 0;
        if (number < least) least = number;
        if (number > most) most = number;
        isWhole &&= Number.isInteger(number);
      }
    },
    yieldTurn,
  );
  const isExact = isWhole && Number.isSafeInteger(least) && Number.isSafeInteger(most - least);
  return isExact ? wholeCoding(least) : bitCoding();
}

function wholeCoding(least: number): Coding {
  return {
    write(number, { low, high }, index) {
      const distance = number - least;
      low[index] = distance % 2 ** 32;
      high[index] = distance / 2 ** 32;
    },
    read: ({ low, high }, index) => least + (high[index] ?? 0) * 2 ** 32 + (low[index] ?? 0),
  };
}

function bitCoding(): Coding {
  const number = new Float64Array(1);
  const words = new Uint32Array(number.buffer);
  number[0] = -0;
  const [upper, lower] = words[1] === 0 ? [0, 1] : [1, 0];
  return {
    write(value, { low, high }, index) {
      // Zero has one form.
      number[0] = value + 0;
      const [top, rest] = [words[upper] ?? 0, words[lower] ?? 0];
      low[index] = top < 2 ** 31 ? rest : ~rest;
      high[index] = top < 2 ** 31 ? top ^ (1 << 31) : ~top;
    },
    read({ low, high }, index) {
      const [top, rest] = [high[index] ?? 0, low[index] ?? 0];
      words[upper] = top < 2 ** 31 ? ~top : top ^ (1 << 31);
      words[lower] = top < 2 ** 31 ? ~rest : rest;
      return number[0] ?? 0;
    },
  };
}
