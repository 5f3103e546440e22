import { SourceError } from '../../source-error.js';
import { readJson } from '../../read/read-json.js';
import { isObject } from '../../upstream/get-json.js';
import { labelOf, readHtml, textOf } from './read-html.js';
import type { SaleLabels } from './sale-labels.js';

/** What the box beside a sale says of it: its words, and the label that one of them goes under. */
export interface SaidOfSale {
  /** '' where nothing is said. */
  readonly statusText: string;
  readonly labels: SaleLabels;
}

/** The site's reply to what has become of some sales. */
export interface Statuses {
  /** By the site's own numbers of the sales; those of which nothing is told are not among them. */
  readonly said: ReadonlyMap<string, SaidOfSale>;
  /** Pages of the sales that wait and of those that are closed; undefined where the reply does not count them. */
  readonly pages: { readonly W: number | undefined; readonly C: number | undefined };
}

/** The site answers for so many sales at once, which is a page of them; asked for more it answers for none. */
export const maxAsked = 10;

/** Two labels go without saying: the reply has a letter in their place. */
const labelOfCode = new Map([
  ['A', 'Auction Starts'],
  ['B', 'Auction Status'],
]);

/**
 * Reads the reply that the page of a day fills its boxes with: `ADATA.AITEM` has of each sale a label (`A`) and its
 * value (`B`), `WM` and `CM` count the pages. Throws a SourceError where the reply is none.
 */
export function readStatuses(reply: string, name: string): Statuses {
  const json = readJson(reply);
  if (!isObject(json) || !isObject(json.ADATA))
    throw new SourceError('delivery_unreadable', `${name} does not tell what has become of its sales.`);
  const items = [json.ADATA.AITEM].flat().filter(isObject);
  return {
    said: new Map(items.map((item) => [wordsOf(item.AID), sayOf(wordsOf(item.A), wordsOf(item.B))])),
    pages: { W: countOf(json.WM), C: countOf(json.CM) },
  };
}

/**
 * What a label and its value say. "Auction Starts" goes with a time, "Auction Status" with a word such as "Canceled",
 * and so does a letter that stands for neither; "Auction Sold" is a word itself, with a time.
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
