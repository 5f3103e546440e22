/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Whole USD in counties' format: `$60,000.00`. */
export function writeDollars(amount: number): string {
  return `$${amount.toLocaleString('en-US')}.00`;
}
