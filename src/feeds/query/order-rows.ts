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
