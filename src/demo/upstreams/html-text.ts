/** A text as it stands in an HTML page. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Whole USD as counties write it: `$60,000.00`. */
export function writeDollars(amount: number): string {
  return `$${amount.toLocaleString('en-US')}.00`;
}
