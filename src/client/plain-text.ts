/**
 * Makes foreign text safe for a terminal or a spreadsheet: one line. Control, bidirectional and invisible format
 * characters become a space.
 */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu, ' ');
}
