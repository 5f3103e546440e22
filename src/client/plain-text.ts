/** Makes foreign text safe for a terminal: one line, no control or invisible formatting characters. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
