/** A feed with what its columns are. */
export interface Shaped {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
}

/** The columns with which a feed's records are stored: each name with what it is, in order, joined by blanks. */
export function shapeOf({ columns }: Shaped): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name}:${type}`)
    .sort()
    .join(' ');
}

/** The columns that are in a shape and that a feed writes: what has records of both is sure to have no others. */
export function commonShape(kind: Shaped, shape: string): string {
  const stored = new Set(shape.split(' '));
  return shapeOf(kind)
    .split(' ')
    .filter((column) => stored.has(column))
    .join(' ');
}

/** Whether what is stored in a shape has all columns that a feed reads. It may have more: a later version's. */
export function canRead(kind: Shaped, shape: string): boolean {
  return commonShape(kind, shape) === shapeOf(kind);
}
