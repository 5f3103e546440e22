import { SourceError } from '../../source-error.js';
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
} from './read-html.js';
import { sayOf } from './realauction-statuses.js';
import { addLabel, type SaleLabels } from './sale-labels.js';

/**
 * One day with sales: `MM/DD/YYYY` as the site writes it, how many are still to be held, and how many there are in all.
 */
export interface SaleDay {
  readonly day: string;
  readonly active: number;
  /** What was sold or called off since is still among them. */
  readonly scheduled: number;
}

/** A sale as a list shows it, without the day and the list itself. Nothing is said of it where its box is empty. */
export type ShownSale = Omit<SalePage, 'day' | 'url' | 'list'>;

/** What a list shows, by the site's own numbers of the sales. */
export type ShownSales = ReadonlyMap<string, ShownSale>;

/**
 * The parts of a day's list: sales that wait for their hour, the one that runs, and those that are closed, be they sold
 * or called off. A sale goes through them in this order.
 */
export type Area = 'W' | 'R' | 'C';

/**
 * Days of a calendar that have sales, in their order. Throws a SourceError where the page is no calendar, which would
 * look like one without sales.
 */
export function readCalendar(html: string, name: string): SaleDay[] {
  const boxes = findAll(readHtml(html), (element) => hasClass(element, 'CALBOX'));
  if (boxes.length === 0)
    throw new SourceError('delivery_unreadable', `The calendar of ${name} is not found. Correct the address.`);
  return boxes.flatMap((box) => {
    const day = attributeOf(box, 'dayid') ?? '';
    const [active = 0, scheduled = 0] = ['CALACT', 'CALSCH'].map((name) => Number(textOfClass(box, name) ?? 0));
    return /^\d{2}\/\d{2}\/\d{4}$/.test(day) && active + scheduled > 0
      ? [{ day, active, scheduled: Math.max(active, scheduled) }]
      : [];
  });
}

/** What the preview of a day holds of an area. */
export interface PreviewedArea {
  /** Nothing where the page has its loader fetch the sales. */
  readonly shown: ShownSales;
  /** Undefined where the page leaves it to its script to count them. */
  readonly pages: number | undefined;
}

/** What the preview of a day holds itself, by area. */
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
 * What a reply of the loader shows. Throws a SourceError where it cannot be told: an empty list is an answer of its
 * own.
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

/** Labels with their values: rows of a table, or elements that follow each other. A value without a label has ''. */
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
  if (typeof html !== 'string')
    throw new SourceError('delivery_unreadable', `The loader of ${name} answers no list of sales.`);
  const full = html.replace(/@[A-Z]/g, (token) => abbreviations[token] ?? token);
  if (/(^|[>"\s])@[A-Z](?=[\s<>"_]|$)/.test(full)) {
    throw new SourceError('delivery_unreadable', `The loader of ${name} uses an abbreviation that is not known.`);
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
