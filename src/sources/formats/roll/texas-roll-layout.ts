/** A field of a line: its first column, from 1, and its width. */
export type FieldPlace = readonly [start: number, width: number];

/**
 * Columns of Dallas County's tax roll file that are read. One line is one account, year and jurisdiction; amounts have
 * two implied decimals. City, state and ZIP in columns 386 to 439 are the owner's, not the property's, and are not
 * read. Older files end at column 500, newer ones at 534. Source: Dallas County Tax Office, tax roll file layout.
 */
export const rollLayout = {
  account: [1, 34],
  year: [35, 4],
  owner: [226, 40],
  /** `R` is real property. */
  rollCode: [440, 1],
  streetNumber: [441, 8],
  /** Street and an abbreviation of the city: `EXAMPLE AVE, DA`. */
  street: [449, 40],
  /** Includes penalties and interest. */
  totalDue: [490, 11],
} as const satisfies Record<string, FieldPlace>;

/** The shortest line with all of these fields. */
export const minLineLength = 500;

/** The field's bytes as text, trimmed. */
export function readFieldAt(line: Buffer, [start, width]: FieldPlace): string {
  return line.toString('latin1', start - 1, start - 1 + width).trim();
}
