/**
 * True for what a spreadsheet would run, given a text and what is written of it. Full-width signs count as well, since
 * some spreadsheets take them for the plain ones; a plain number does not.
 */
export function isFormula(given: string, text: string): boolean {
  if (/^[+-]?[0-9]+(\.[0-9]+)?$/.test(text.trim())) return false;
  return (
    /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ||
    /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[\t\r]/u.test(given)
  );
}
