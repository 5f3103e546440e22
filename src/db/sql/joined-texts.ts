/** Record separator: a JSON text has it escaped only. */
const separator = '\u001e';

/** JSON texts as one value of a statement: so they reach the database as they are, neither quoted nor escaped. */
export function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.map((text) => text ?? '').join(separator);
}

/** SQL: the texts of a value again, a row for each; NULL where there was none. */
export function splitTexts(value: string): string {
  return `unnest(string_to_array(${value}, chr(30), ''))`;
}
