import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export type HtmlElement = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** One row of a table: the text of each cell, and the addresses that its links lead to. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly links: readonly string[];
}

/** A table with a line of headers. */
export interface HtmlTable {
  readonly headers: readonly string[];
  readonly rows: readonly TableRow[];
}

/** Parses a page as browsers do, whatever is wrong with it. */
export function readHtml(html: string): Parent {
  return parse(html);
}

/** Every element below a node that passes, in the order of the page. */
export function findAll(root: Parent, isWanted: (element: HtmlElement) => boolean): HtmlElement[] {
  const found: HtmlElement[] = [];
  const open: Parent[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('tagName' in node && isWanted(node)) found.push(node);
    for (const child of [...node.childNodes].reverse()) if ('childNodes' in child) open.push(child);
  }
  return found;
}

/** The value of an attribute; undefined when it is not there. */
export function attributeOf(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

/** True when the element is of this class. */
export function hasClass(element: HtmlElement, name: string): boolean {
  return attributeOf(element, 'class')?.split(/\s+/).includes(name) ?? false;
}

/** The text that a reader sees, one line for each `<br>`; blanks are joined and empty lines left out. */
export function linesOf(element: Parent): string[] {
  const parts: string[] = [];
  const open: DefaultTreeAdapterTypes.Node[] = [element];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeName === 'br') parts.push('\n');
    else if ('value' in node) parts.push(node.value.replace(/\s+/g, ' '));
    else if ('childNodes' in node && !['script', 'style'].includes(node.nodeName))
      open.push(...[...node.childNodes].reverse());
  }
  return parts
    .join('')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

/** The text of an element in one line. */
export function textOf(element: Parent): string {
  return linesOf(element).join(' ');
}

/** Every table of a page whose header line names all of these columns; a page may lay itself out with others. */
export function findTables(root: Parent, columns: readonly string[]): HtmlTable[] {
  return findAll(root, isTag('table'))
    .map(readTable)
    .filter(({ headers }) => columns.every((column) => headers.includes(column)));
}

/** A header or label in plain words: `Approx. Judgment*:` is `approx judgment`. */
export function labelOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** Passes elements of this name. */
export function isTag(...names: string[]): (element: HtmlElement) => boolean {
  return (element) => names.includes(element.tagName);
}

function readTable(table: HtmlElement): HtmlTable {
  const lines = findAll(table, isTag('tr')).map((line) => ({
    cells: findAll(line, isTag('td', 'th')),
    links: findAll(line, isTag('a')).flatMap((link) => attributeOf(link, 'href') ?? []),
  }));
  const head = lines.findIndex(({ cells }) => cells.length > 0 && cells.every((cell) => cell.tagName === 'th'));
  return {
    headers: head === -1 ? [] : (lines[head]?.cells ?? []).map((cell) => labelOf(textOf(cell))),
    rows: lines.slice(head + 1).map(({ cells, links }) => ({ cells: cells.map(textOf), links })),
  };
}
