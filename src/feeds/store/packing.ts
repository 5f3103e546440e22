/**
 * How a column is packed: any number, or a text of which there are few different ones, or undefined; or true and false.
 */
export type Packed = 'number' | 'text' | 'flag';

/** What a column is, packed or not. */
export type ColumnType = Packed | 'date';

/** What each column beside the id is. */
export type ColumnTypes<Columns> = {
  readonly [Column in Exclude<keyof Columns, 'id'>]-?: NonNullable<Columns[Column]> extends number
    ? 'number'
    : NonNullable<Columns[Column]> extends boolean
      ? 'flag'
      : NonNullable<Columns[Column]> extends Date
        ? 'date'
        : 'text';
};

/** How each column beside the id is packed. */
export type Packing<Columns> = {
  readonly [Column in Exclude<keyof Columns, 'id'>]-?: NonNullable<Columns[Column]> extends number
    ? 'number'
    : NonNullable<Columns[Column]> extends boolean
      ? 'flag'
      : 'text';
};
