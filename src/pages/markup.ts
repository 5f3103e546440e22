/** A piece of HTML in which every text is escaped. Only `html` makes one. */
export class Markup {
  /** @internal Made by `html` only. */
  constructor(readonly text: string) {}
}

/** What can stand in a template: texts and numbers are escaped, markup is not, nothing is nothing. */
export type Piece = Markup | string | number | undefined | readonly Piece[];

/** A template of HTML or SVG: what is put into it is text, in content and in quoted attributes alike. */
export function html(literals: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  const parts = literals.map((literal, index) => literal + render(pieces[index]));
  return new Markup(parts.join(''));
}

function render(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Markup) return piece.text;
  if (Array.isArray(piece)) return piece.map(render).join('');
  return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
