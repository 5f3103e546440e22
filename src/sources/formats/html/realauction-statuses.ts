import { unreadable } from '../../source-error.js';
import { readJson } from '../../read/read-json.js';
import { isObject } from '../../upstream/get-json.js';
import { labelOf, readHtml, textOf } from './read-html.js';
import type { SaleLabels } from './sale-labels.js';

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
