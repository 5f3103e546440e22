import type { CountedMatches } from '../../../generated/types.gen.js';
import { howShown } from '../../wire/how-shown.js';
import { operationNames } from '../../wire/operation-names.js';
import type { Caller } from '../create-caller.js';
import { PurchaseError } from '../payments/purchase-error.js';
import { findOperation, operationPaths } from '../wire/operation-paths.js';
import { readData } from '../wire/read-answer.js';

/** Which filter leaves nothing: the one without which most records match. */
export interface Looser {
  /** A sentence without its full stop. */
  readonly says: string;
  /** Path and query of its count. */
  readonly path: string;
}

/** Questions that one command may ask for this. */
const mostAsked = 8;
/** What is no filter of records, or cannot be left out alone. */
const notLeftOut: ReadonlySet<string> = new Set(['of', 'feed', 'since', 'cursor', 'radius']);

/**
 * Counts what a path or its count would match without each of its filters, free, and names the one whose removal gives
 * most. Undefined where nothing can be counted, or no filter is given.
 */
export async function countWithoutEach(path: string, caller: Caller): Promise<Looser | undefined> {
  const asked = partsOf(path);
  const filters = (asked ?? []).filter((part) => !notLeftOut.has(nameOf(part))).slice(0, mostAsked);
  if (asked === undefined || filters.length === 0) return undefined;
  let best: { readonly filter: string; readonly path: string; readonly matches: CountedMatches['matches'] } | undefined;
  for (const filter of filters) {
    const left = asked.filter((part) => part !== filter && !(nameOf(filter) === 'near' && nameOf(part) === 'radius'));
    const without = `${operationPaths.countMatches}?${left.join('&')}`;
    const matches = await count(without, caller);
    if (matches === undefined) break;
    if (best === undefined || matches.at_most > best.matches.at_most) best = { filter, path: without, matches };
  }
  if (best === undefined) return undefined;
  const { filter, matches } = best;
  if (matches.at_most === 0) return { says: 'Nothing matches without any one filter either', path: best.path };
  const { at_least: least, at_most: most } = matches;
  const records = least === most ? String(most) : `${least} to ${most}`;
  const others = filters.length > 1 ? ', more than without any other filter' : '';
  return { says: `Without ${decodeURIComponent(filter)} ${records} records match${others}`, path: best.path };
}

/** The parts of the query that counts what a path sells, or that it counts; undefined where that is nothing. */
function partsOf(path: string): readonly string[] | undefined {
  const id = findOperation(path);
  const parts = (path.split('?')[1] ?? '').split('&').filter((part) => part !== '' && !howShown.includes(nameOf(part)));
  if (id === 'countMatches') return parts;
  return id !== undefined && id in operationNames
    ? [`of=${operationNames[id as keyof typeof operationNames]}`, ...parts]
    : undefined;
}

const nameOf = (part: string): string => part.split('=')[0] ?? '';

/** Undefined where it cannot be told now: there may have been too many questions. */
async function count(path: string, caller: Caller): Promise<CountedMatches['matches'] | undefined> {
  try {
    const { reply } = await caller.get(path, { maxPrice: '0' });
    return (readData(reply) as CountedMatches).matches; // typed by the contract
  } catch (error) {
    if (error instanceof PurchaseError) return undefined;
    throw error;
  }
}
