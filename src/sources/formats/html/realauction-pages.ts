import { unreadable } from '../../source-error.js';
import { readJson } from '../../read/read-json.js';
import { isObject } from '../../upstream/get-json.js';
import type { SalePage } from './parse-sale.js';
import {
  attributeOf,
  cellsOf,
  findAll,
  hasClass,
  type HtmlElement,
  isTag,
  labelOf,
  linesOf,
  readHtml,
  textOf,
  addLabel,
  type SaleLabels,
} from './read-html.js';

/** One day with sales: `MM/DD/YYYY` as the site writes it, the number of sales still to be held, and the total. */
export interface SaleDay {
  readonly day: string;
  readonly active: number;
  /** Includes sales that were since sold or canceled. */
  readonly scheduled: number;
}

/** A sale as a list shows it, without the day and the list. Its status text is empty while its box is. */
export type ShownSale = Omit<SalePage, 'day' | 'url' | 'list'>;

/** The sales of a list by the site's own ids. */
export type ShownSales = ReadonlyMap<string, ShownSale>;

/**
 * The areas of a day's list: waiting sales, the running one, and closed ones, sold or canceled. A sale passes through
 * them in this order.
 */
export type Area = 'W' | 'R' | 'C';

/**
 * The days of a calendar with sales, in order.
 *
 * @throws SourceError when the page is not a calendar, since it would look like one without sales
 */
export function readCalendar(html: string, name: string): SaleDay[] {
  const boxes = findAll(readHtml(html), (element) => hasClass(element, 'CALBOX'));
  if (boxes.length === 0) throw unreadable(`The calendar of ${name} was not found. Correct the address.`);
  return boxes.flatMap((box) => {
    const day = attributeOf(box, 'dayid') ?? '';
    const [active = 0, scheduled = 0] = ['CALACT', 'CALSCH'].map((name) => Number(textOfClass(box, name) ?? 0));
    return /^\d{2}\/\d{2}\/\d{4}$/.test(day) && active + scheduled > 0
      ? [{ day, active, scheduled: Math.max(active, scheduled) }]
      : [];
  });
}

/** One area in the preview of a day. */
export interface PreviewedArea {
  /** Empty when the page fetches the sales through its loader. */
  readonly shown: ShownSales;
  /** Undefined when the page's script counts the pages. */
  readonly pages: number | undefined;
}

/** The preview of a day by area. */
export function readPreview(html: string): Readonly<Record<Area, PreviewedArea>> {
  const page = readHtml(html);
  const read = (area: Area): PreviewedArea => {
    const [list, counted] = [findId(page, `Area_${area}`), findId(page, `max${area}A`)];
    return {
      shown: list === undefined ? new Map() : findSales(list),
      pages: (counted && Number(textOf(counted))) || undefined,
    };
  };
  return { W: read('W'), R: read('R'), C: read('C') };
}

/**
 * The sales in a reply of the loader. An empty list is a valid reply.
 *
 * @throws SourceError when the reply cannot be read
 */
export function readLoaded(reply: string, name: string): ShownSales {
  return findSales(readHtml(unabbreviate(reply, name)));
}

function findSales(root: Parameters<typeof findAll>[0]): ShownSales {
  const items = findAll(root, (element) => hasClass(element, 'AUCTION_ITEM'));
  return new Map(
    items.flatMap((item) => {
      const aid = attributeOf(item, 'aid');
      return aid === undefined ? [] : [[aid, readItem(item)] as const];
    }),
  );
}

function readItem(item: HtmlElement): ShownSale {
  const labels: SaleLabels = {};
  let before: string | undefined;
  for (const { label, lines } of linesIn(item)) before = addLabel(labels, labelOf(label), lines, before);
  const [label = '', value = ''] = ['ASTAT_MSGA', 'ASTAT_MSGB'].map((name) => textOfClass(item, name));
  const said = sayOf(label, value);
  return { labels: { ...labels, ...said.labels }, history: [], statusText: said.statusText };
}

/** Labels with their values: table rows, or adjacent elements. A value without a label has ''. */
function linesIn(item: HtmlElement): { readonly label: string; readonly lines: readonly string[] }[] {
  const rows = findAll(item, isTag('tr')).map(cellsOf);
  if (rows.length > 0)
    return rows.flatMap(([label, value]) => (label && value ? [{ label: textOf(label), lines: linesOf(value) }] : []));
  const parts = findAll(item, (element) => hasClass(element, 'AD_LBL') || hasClass(element, 'AD_DTA'));
  return parts.flatMap((part, index) => {
    const label = parts[index - 1];
    if (!hasClass(part, 'AD_DTA')) return [];
    return [{ label: label && hasClass(label, 'AD_LBL') ? textOf(label) : '', lines: linesOf(part) }];
  });
}

/** The loader's abbreviations of its own markup. */
const abbreviations: Readonly<Record<string, string>> = {
  '@A': '<div class="',
  '@B': '</div>',
  '@C': ' class="',
  '@D': '<div>',
  '@E': 'AUCTION',
  '@F': '</td><td',
  '@G': '</td></tr>',
  '@H': '<tr><td ',
  '@I': 'table',
  '@J': 'p_back="NextCheck=',
  '@K': 'style="Display:none"',
  '@L': '/index.cfm?zaction=auction&zmethod=details&AID=',
};

function unabbreviate(reply: string, name: string): string {
  const json = readJson(reply);
  const html = isObject(json) ? json.retHTML : undefined;
  if (typeof html !== 'string') throw unreadable(`The loader of ${name} returns no list of sales.`);
  const full = html.replace(/@[A-Z]/g, (token) => abbreviations[token] ?? token);
  if (/(^|[>"\s])@[A-Z](?=[\s<>"_]|$)/.test(full)) {
    throw unreadable(`The loader of ${name} uses an unknown abbreviation.`);
  }
  return full;
}

function textOfClass(root: HtmlElement, name: string): string | undefined {
  const [element] = findAll(root, (each) => hasClass(each, name));
  return element === undefined ? undefined : textOf(element);
}

function findId(root: ReturnType<typeof readHtml>, id: string): HtmlElement | undefined {
  return findAll(root, (each) => attributeOf(each, 'id') === id)[0];
}

/** A sale's status from its box: the words, and a label for those that belong under one. */
export interface SaidOfSale {
  /** '' without a status. */
  readonly statusText: string;
  readonly labels: SaleLabels;
}

/** The site's reply about the status of sales. */
export interface Statuses {
  /** By the site's own ids; without sales that have no status. */
  readonly said: ReadonlyMap<string, SaidOfSale>;
  /** Numbers of pages of waiting and of closed sales; undefined when the reply does not state them. */
  readonly pages: { readonly W: number | undefined; readonly C: number | undefined };
}

/** Maximum number of sales per request, which is one page; for more the site returns none. */
export const maxAsked = 10;

/** The reply abbreviates two labels to letters. */
const labelOfCode = new Map([
  ['A', 'Auction Starts'],
  ['B', 'Auction Status'],
]);

/**
 * Parses the reply that fills the boxes of a day's page: `ADATA.AITEM` has a label (`A`) and value (`B`) per sale, `WM`
 * and `CM` are page counts.
 *
 * @throws SourceError when the reply cannot be read
 */
export function readStatuses(reply: string, name: string): Statuses {
  const json = readJson(reply);
  if (!isObject(json) || !isObject(json.ADATA)) throw unreadable(`${name} does not return the status of its sales.`);
  const items = [json.ADATA.AITEM].flat().filter(isObject);
  return {
    said: new Map(items.map((item) => [wordsOf(item.AID), sayOf(wordsOf(item.A), wordsOf(item.B))])),
    pages: { W: countOf(json.WM), C: countOf(json.CM) },
  };
}

/**
 * Interprets a label and its value. "Auction Starts" has a time, "Auction Status" a word such as "Canceled", and so
 * does an unknown letter. "Auction Sold" is the status itself, with a time.
 */
export function sayOf(label: string, value: string): SaidOfSale {
  const state = labelOf(labelOfCode.get(label) ?? label);
  if (state === 'auction starts') return { statusText: state, labels: { [state]: [value] } };
  return { statusText: state === 'auction status' || state.length === 1 ? value : state, labels: {} };
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? textOf(readHtml(String(value))) : '';
}

function countOf(value: unknown): number | undefined {
  const count = Number(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN);
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}
