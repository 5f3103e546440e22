/** Records that are compared between two turns of the event loop: some milliseconds. */
const perTurn = 10_000;
/** Pieces this small are sorted at once. */
const pieceSize = 4_096;

type Compare<T> = (one: T, other: T) => number;
type YieldTurn = () => Promise<void>;

/** Sorts by a total order without holding up the event loop, however many there are. Leaves `records` as they are. */
export async function sortInSlices<T>(
  records: readonly T[],
  compare: Compare<T>,
  yieldTurn: YieldTurn,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < records.length; start += pieceSize) {
    runs.push(records.slice(start, start + pieceSize).sort(compare));
    await yieldTurn();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [left = [], right] = [runs[index], runs[index + 1]];
      merged.push(right === undefined ? left : await mergeInSlices(left, right, compare, yieldTurn));
      await yieldTurn();
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two ordered lists into one. */
export async function mergeInSlices<T>(
  left: readonly T[],
  right: readonly T[],
  compare: Compare<T>,
  yieldTurn: YieldTurn,
): Promise<readonly T[]> {
  const merged: T[] = [];
  let [fromLeft, fromRight] = [0, 0];
  while (fromLeft < left.length || fromRight < right.length) {
    const [one, other] = [left[fromLeft], right[fromRight]];
    if (other === undefined || (one !== undefined && compare(one, other) <= 0)) {
      merged.push(one as T);
      fromLeft++;
    } else {
      merged.push(other);
      fromRight++;
    }
    if (merged.length % perTurn === 0) await yieldTurn();
  }
  return merged;
}
