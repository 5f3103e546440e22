/** A feed with the types of its columns. */
export interface Shaped {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
}

/** The stored columns of a feed: names with types, sorted, separated by spaces. */
export function shapeOf({ columns }: Shaped): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name}:${type}`)
    .sort()
    .join(' ');
}

/** The columns of both a stored shape and a feed: a version with records of both is sure to have only these. */
export function commonShape(kind: Shaped, shape: string): string {
  const stored = new Set(shape.split(' '));
  return shapeOf(kind)
    .split(' ')
    .filter((column) => stored.has(column))
    .join(' ');
}

/** Whether a stored shape has all columns of a feed. It may have more, of a later release. */
export function canRead(kind: Shaped, shape: string): boolean {
  return commonShape(kind, shape) === shapeOf(kind);
}
