/** Rows that are compared between two turns of the event loop: some milliseconds. */
const perTurn = 1_000;
/** Pieces this small are sorted at once. */
const pieceSize = 1_024;

type Compare = (one: number, other: number) => number;
type YieldTurn = () => Promise<void>;

/** Sorts by a total order without holding up the event loop, however many there are. Leaves `rows` as they are. */
export async function sortRows(rows: Uint32Array, compare: Compare, yieldTurn: YieldTurn): Promise<Uint32Array> {
  let [from, to] = [Uint32Array.from(rows), new Uint32Array(rows.length)];
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
const stepsPerTurn = 10_000;
const digitBits = 11;
const digitCount = 2 ** digitBits;

/**
 * Sorts rows by their numbers, which stand at the places of the rows; equal ones stay as they stand. Digit by digit, a
 * slice at a time: a tenth of the time that comparing takes.
 */
export async function sortByNumber(
  rows: Uint32Array,
  numbers: Float64Array,
  yieldTurn: YieldTurn,
): Promise<Uint32Array> {
  if (rows.length < digitCount)
    return Uint32Array.from(rows).sort((one, other) => (numbers[one] ?? 0) - (numbers[other] ?? 0));
  const keys = await orderedKeys(rows, numbers, yieldTurn);
  let [from, to] = [Uint32Array.from(rows), new Uint32Array(rows.length)];
  for (const word of [0, 1])
    for (let shift = 0; shift < 32; shift += digitBits) {
      const starts = new Uint32Array(digitCount + 1);
      for (let index = 0; index < from.length; index++) {
        const digit = ((keys[2 * (from[index] ?? 0) + word] ?? 0) >>> shift) & (digitCount - 1);
        starts[digit + 1] = (starts[digit + 1] ?? 0) + 1;
        if (index % stepsPerTurn === stepsPerTurn - 1) await yieldTurn();
      }
      if (starts.includes(from.length)) continue;
      for (let digit = 0; digit < digitCount; digit++)
        starts[digit + 1] = (starts[digit + 1] ?? 0) + (starts[digit] ?? 0);
      for (let index = 0; index < from.length; index++) {
        const row = from[index] ?? 0;
        const digit = ((keys[2 * row + word] ?? 0) >>> shift) & (digitCount - 1);
        const place = starts[digit] ?? 0;
        to[place] = row;
        starts[digit] = place + 1;
        if (index % stepsPerTurn === stepsPerTurn - 1) await yieldTurn();
      }
      [from, to] = [to, from];
    }
  return from;
}

/** Two words for each number, the lower first, that are in order as the numbers are. */
async function orderedKeys(rows: Uint32Array, numbers: Float64Array, yieldTurn: YieldTurn): Promise<Uint32Array> {
  const keys = new Uint32Array(2 * numbers.length);
  const view = new DataView(new ArrayBuffer(8));
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    // Zero has one form.
    view.setFloat64(0, (numbers[row] ?? 0) + 0);
    const [high, low] = [view.getUint32(0), view.getUint32(4)];
    keys[2 * row] = high < 2 ** 31 ? low : ~low;
    keys[2 * row + 1] = high < 2 ** 31 ? high ^ (1 << 31) : ~high;
    if (index % stepsPerTurn === stepsPerTurn - 1) await yieldTurn();
  }
  return keys;
}
