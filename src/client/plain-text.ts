/** Text from elsewhere, safe for a terminal: no control or invisible formatting characters, one line. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
