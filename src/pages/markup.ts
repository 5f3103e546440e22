/** HTML in which every text is escaped. Only `html` creates it. */
export class Markup {
  /** @internal Created only by `html`. */
  constructor(readonly text: string) {}
}

/** A value in a template: texts and numbers are escaped, markup is not, undefined is omitted. */
export type Piece = Markup | string | number | undefined | readonly Piece[];

/** An HTML or SVG template. Inserted values are escaped, in content and in quoted attributes. */
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
