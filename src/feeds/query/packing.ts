/**
 * How a column is packed: any number, a whole one (of less than 31 bits, else the nearest that has), a moment, or a
 * text of which there are few different ones, or undefined; or true and false.
 */
export type Packed = 'number' | 'whole' | 'date' | 'text' | 'flag';

/** How each column beside the id is packed. */
export type Packing<Columns> = {
  readonly [Column in Exclude<keyof Columns, 'id'>]-?: NonNullable<Columns[Column]> extends number
    ? 'number' | 'whole'
    : NonNullable<Columns[Column]> extends boolean
      ? 'flag'
      : NonNullable<Columns[Column]> extends Date
        ? 'date'
        : 'text';
};

/** How all but some columns are packed. */
export function packedWithout<Columns extends Readonly<Record<string, Packed>>, Name extends keyof Columns>(
  columns: Columns,
  names: readonly Name[],
): Omit<Columns, Name> {
  const kept = Object.entries(columns).filter(([column]) => !names.some((name) => name === column));
  return Object.fromEntries(kept) as Omit<Columns, Name>;
}
