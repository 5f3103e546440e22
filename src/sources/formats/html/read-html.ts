import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parse } from 'parse5';
import { type SourceError, unreadable } from '../../source-error.js';

export type HtmlElement = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** Far above any page of sales; keeps parsing fast whatever the markup. */
const maxDepth = 200;
const maxElements = 100_000;

/** One row of a table: the text of each cell, and the targets of its links. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly links: readonly string[];
}

/** A table with a header row. */
export interface HtmlTable {
  readonly headers: readonly string[];
  readonly rows: readonly TableRow[];
}

/**
 * Parses a page as browsers do, including malformed markup.
 *
 * @throws SourceError as soon as there are too many or too deeply nested elements
 */
export function readHtml(html: string): Parent {
  let depth = 0;
  let elements = 0;
  // Counted during parsing: a few unclosed tags can create a tree far larger than the page.
  const createElement: typeof defaultTreeAdapter.createElement = (...element) => {
    if ((elements += 1) > maxElements) throw overgrown();
    return defaultTreeAdapter.createElement(...element);
  };
  const onItemPush = () => {
    if ((depth += 1) > maxDepth) throw overgrown();
  };
  const onItemPop = () => void (depth -= 1);
  return parse(html, { treeAdapter: { ...defaultTreeAdapter, createElement, onItemPush, onItemPop } });
}

/** All elements of a tree that match, in page order. */
export function findAll(root: Parent, isWanted: (element: HtmlElement) => boolean): HtmlElement[] {
  const found: HtmlElement[] = [];
  const open: Parent[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('tagName' in node && isWanted(node)) found.push(node);
    for (const child of [...node.childNodes].reverse()) if ('childNodes' in child) open.push(child);
  }
  return found;
}

/** The value of an attribute; undefined when missing. */
export function attributeOf(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

/** True when the element has this class. */
export function hasClass(element: HtmlElement, name: string): boolean {
  return attributeOf(element, 'class')?.split(/\s+/).includes(name) ?? false;
}

/** The visible text, one line per `<br>`, with spaces collapsed and without empty lines. */
export function linesOf(element: Parent): string[] {
  const parts: string[] = [];
  const open: DefaultTreeAdapterTypes.Node[] = [element];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeName === 'br') parts.push('\n');
    else if ('value' in node) parts.push(node.value.replace(/\s+/g, ' '));
    else if ('childNodes' in node && !['script', 'style'].includes(node.nodeName))
      for (const child of [...node.childNodes].reverse()) open.push(child);
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

/**
 * The tables of a page whose header row has all of these columns; pages also use tables for layout. Rows of nested
 * tables are not included.
 */
export function findTables(root: Parent, columns: readonly string[]): HtmlTable[] {
  return findAll(root, isTag('table')).flatMap((table) => {
    const lines = rowsOf(table);
    const head = lines.findIndex((line) => cellsOf(line).length > 0 && cellsOf(line).every(isTag('th')));
    const headers = (lines[head] === undefined ? [] : cellsOf(lines[head])).map((cell) => labelOf(textOf(cell)));
    return columns.every((column) => headers.includes(column))
      ? [{ headers, rows: lines.slice(head + 1).map(readRow) }]
      : [];
  });
}

/** The cells of a row, without those of nested tables. */
export function cellsOf(row: HtmlElement): HtmlElement[] {
  return childrenOf(row, 'td', 'th');
}

/** Normalizes a header or label: `Approx. Judgment*:` becomes `approx judgment`. */
export function labelOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** Matches elements with these names. */
export function isTag(...names: string[]): (element: HtmlElement) => boolean {
  return (element) => names.includes(element.tagName);
}

function rowsOf(table: HtmlElement): HtmlElement[] {
  return childrenOf(table, 'thead', 'tbody', 'tfoot').flatMap((part) => childrenOf(part, 'tr'));
}

function childrenOf(parent: HtmlElement, ...names: string[]): HtmlElement[] {
  return parent.childNodes.filter((node): node is HtmlElement => 'tagName' in node && names.includes(node.tagName));
}

function readRow(row: HtmlElement): TableRow {
  const links = findAll(row, isTag('a')).flatMap((link) => attributeOf(link, 'href') ?? []);
  return { cells: cellsOf(row).map(textOf), links };
}

function overgrown(): SourceError {
  return unreadable(
    `A page has elements more than ${maxDepth} deep, or more than ${maxElements} of them. Check the configured address.`,
  );
}

/** A page's lines under each normalized label. */
export type SaleLabels = Record<string, readonly string[]>;

/**
 * Adds lines under a label. A repeated label keeps its first value; lines without a label continue the previous one.
 * Returns the label now current.
 */
export function addLabel(
  labels: SaleLabels,
  label: string,
  lines: readonly string[],
  before: string | undefined,
): string | undefined {
  if (label === '') {
    if (before !== undefined) labels[before] = [...(labels[before] ?? []), ...lines];
    return before;
  }
  labels[label] ??= lines;
  return label;
}
