/** Two bounds of a count, both inclusive. */
export interface CountBounds {
  readonly at_least: number;
  readonly at_most: number;
}

/** None, 1 to 4, 5 to 9, each number up to 99, and from 100 on the first two digits. */
export function roundCount(count: number): CountBounds {
  if (count === 0) return { at_least: 0, at_most: 0 };
  if (count < 5) return { at_least: 1, at_most: 4 };
  if (count < 10) return { at_least: 5, at_most: 9 };
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  const least = Math.floor(count / step) * step;
  return { at_least: least, at_most: least + step - 1 };
}
