/** Record separator: JSON text contains it only in escaped form. */
const separator = '\u001e';

/** Joins JSON texts into one value of a statement, so that they reach the database without quoting or escaping. */
export function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.map((text) => text ?? '').join(separator);
}

/** SQL: splits such a value into one row per text; NULL for an undefined text. */
export function splitTexts(value: string): string {
  return `unnest(string_to_array(${value}, chr(30), ''))`;
}
