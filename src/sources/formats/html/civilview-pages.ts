import type { SalePage } from './parse-sale.js';
import {
  cellsOf,
  findAll,
  findTables,
  hasClass,
  type HtmlElement,
  isTag,
  labelOf,
  linesOf,
  readHtml,
  textOf,
} from './read-html.js';
import { addLabel, type SaleLabels } from './sale-labels.js';

/** A page marks labels and values by class; older pages use table rows. */
const labelClass = 'sale-detail-label';
const valueClass = 'sale-detail-value';

/** A sale on the list: the sheriff's number, and the site's own id, valid for some minutes. */
export interface ListedSale {
  readonly sheriff: string;
  readonly propertyId: string;
}

/**
 * The sales of a county's list by key, which is the sheriff's number. When several properties share a number, the key
 * also has the address, so that none becomes another when one leaves the list. Undefined when the page is not a list.
 */
export function readList(html: string): ReadonlyMap<string, ListedSale> | undefined {
  const [table] = findTables(readHtml(html), ['sheriff', 'sales date']);
  if (table === undefined) return undefined;
  const { headers, rows } = table;
  const [number = -1, place = -1] = ['sheriff', 'address'].map((column) => headers.indexOf(column));
  const sales = new Map<string, ListedSale>();
  const ids = new Set<string>();
  const isShared = findRepeated(rows.map(({ cells }) => cells[number] ?? ''));
  for (const { cells, links } of rows) {
    const [propertyId] = links.flatMap((link) => /[?&]PropertyId=(\d{1,20})\b/i.exec(link)?.[1] ?? []);
    if (propertyId === undefined || ids.has(propertyId)) continue;
    ids.add(propertyId);
    const sheriff = cells[number] ?? '';
    const named =
      sheriff === '' || isShared.has(sheriff) ? `${sheriff} / ${cells[place] ?? ''}`.slice(0, 190) : sheriff;
    let key = named;
    for (let nth = 2; sales.has(key); nth += 1) key = `${named} / ${nth}`;
    sales.set(key, { sheriff, propertyId });
  }
  return sales;
}

function findRepeated(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.filter((text, index) => texts.indexOf(text) !== index));
}

/**
 * Parses the page of a sale; `url` is the public address to state for it. Undefined for another page, which the site
 * shows instead of an error.
 */
export function readSale(html: string, url: string): SalePage | undefined {
  const page = readHtml(html);
  const labels: SaleLabels = {};
  let before: string | undefined;
  for (const [label, value] of labelled(page))
    before = addLabel(labels, labelOf(textOf(label)), linesOf(value), before);
  if (labels.sheriff === undefined && labels['sales date'] === undefined) return undefined;
  const [table] = findTables(page, ['status', 'date']);
  const [status, date] = ['status', 'date'].map((column) => table?.headers.indexOf(column) ?? -1);
  const history = (table?.rows ?? []).map(({ cells }) => ({
    text: cells[status ?? -1] ?? '',
    date: cells[date ?? -1] ?? '',
  }));
  // A line in brackets is a button.
  return { labels, history: history.filter(({ text }) => !/^(\[.*\])?$/.test(text)), statusText: '', url };
}

/** The page itself names its sale: an id of the site may later lead to another sale. */
export function isOf({ labels }: SalePage, { sheriff }: ListedSale): boolean {
  return sheriff === '' || labels.sheriff === undefined || labelOf(labels.sheriff.join(' ')) === labelOf(sheriff);
}

/** Labels with their values in page order: adjacent blocks, or table rows. */
function labelled(page: ReturnType<typeof readHtml>): (readonly [HtmlElement, HtmlElement])[] {
  const parts = findAll(page, (element) => hasClass(element, labelClass) || hasClass(element, valueClass));
  const blocks = parts.flatMap((label, index) => {
    const value = parts[index + 1];
    const isPair = hasClass(label, labelClass) && value !== undefined && hasClass(value, valueClass);
    return isPair ? [[label, value] as const] : [];
  });
  const lines = findAll(page, isTag('tr')).flatMap((line) => {
    const [label, value, ...others] = cellsOf(line);
    if (label === undefined || value === undefined || others.some((cell) => textOf(cell) !== '')) return [];
    // A label ends with a colon; rows of other tables do not.
    return /:\s*$/.test(textOf(label)) ? [[label, value] as const] : [];
  });
  return [...blocks, ...lines];
}
