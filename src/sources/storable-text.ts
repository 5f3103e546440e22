/** A text that any PostgreSQL text can hold, of at most `max` characters: control and broken characters become `?`. */
export function storableText(text: string, max: number): string {
  return text.slice(0, max).replace(/[\p{Cc}\p{Cs}]/gu, '?');
}
