import type { Prover } from '../../contract/prover.js';
import { memoryOf, moveRendered, renderText, type Rendered } from '../../contract/rendered.js';
import { isSparse } from '../../contract/slabs.js';
import {
  viewNames,
  type RecordViews,
  type RenderedViews,
  type StoredBodies,
  type StoredText,
  type ViewName,
} from './published-record.js';
import { recordsPerTurn } from '../query/records-per-turn.js';

/** Proves the views of a record. */
export type ViewProvers<Views extends RecordViews> = { readonly [View in keyof Views]: Prover<Views[View]> };

/** Takes in the bytes of the records of a version. */
export interface TakeInBodies {
  /** @throws ContractBreach when it breaks the contract; what it was is kept. */
  hold(id: string, bodies: StoredBodies): void;
  letGo(id: string): void;
  /** All records of the version have come; `yieldTurn` is awaited between slices of work. */
  complete(yieldTurn: () => Promise<void>): Promise<void>;
}

/** Bytes that come beside those of before. */
export interface BodiesBeside extends TakeInBodies {
  /** How many bytes are held of what is replaced or let go of. */
  replacedBytes(): number;
}

/**
 * The proven bytes of records, of each the newest alone, whatever versions of the feed are kept: what an older one
 * showed of a record that has changed since is read from the database.
 */
export interface InMemoryBodies<Views extends RecordViews> {
  /**
   * Takes a version in record by record, each in the place of what it was; `isAnew`: those that do not come are let go
   * of.
   */
  inPlace(version: number, isAnew: boolean): TakeInBodies;
  /** Takes in a version that this process proves, beside what is held: until all have come, nothing is replaced. */
  beside(version: number): BodiesBeside;
  /** What a record is in a version; undefined where that is not held. */
  find<View extends keyof Views & ViewName>(view: View, id: string, version: number): Rendered<Views[View]> | undefined;
}

/** Holds nothing yet. */
export function createInMemoryBodies<Views extends RecordViews>(provers: ViewProvers<Views>): InMemoryBodies<Views> {
  const held = new Map<string, Held<Views>>();
  return {
    inPlace: (version, isAnew) => ({
      hold: (id, bodies) => void held.set(id, { since: version, views: loadViews(provers, bodies) }),
      letGo: (id) => void held.delete(id),
      async complete(yieldTurn) {
        if (isAnew)
          await inSlices(held, yieldTurn, ([id, { since }]) => {
            if (since !== version) held.delete(id);
          });
        await gather(held, yieldTurn);
      },
    }),
    beside(version) {
      const coming = new Map<string, Held<Views> | undefined>();
      let replacedBytes = 0;
      const take = (id: string, record: Held<Views> | undefined): void => {
        replacedBytes += bytesOf(held.get(id)?.views);
        coming.set(id, record);
      };
      return {
        hold: (id, bodies) =>
          take(id, { since: version, views: mapViews(provers, bodies, (_, { text }) => renderText(text)) }),
        letGo: (id) => take(id, undefined),
        async complete(yieldTurn) {
          await inSlices(coming, yieldTurn, ([id, record]) => {
            if (record === undefined) held.delete(id);
            else held.set(id, record);
          });
          await gather(held, yieldTurn);
        },
        replacedBytes: () => replacedBytes,
      };
    },
    find(view, id, version) {
      const found = held.get(id);
      return found === undefined || found.since > version ? undefined : found.views[view];
    },
  };
}

interface Held<Views extends RecordViews> {
  readonly since: number;
  readonly views: RenderedViews<Views>;
}

/**
 * Moves records together of whose neighbors most are gone: a single one keeps all the memory that they lay in, and
 * after some weeks of changes most of what is in use would be kept for a few.
 */
async function gather<Views extends RecordViews>(
  held: Map<string, Held<Views>>,
  yieldTurn: () => Promise<void>,
): Promise<void> {
  const keptIn = new Map<ArrayBufferLike, number>();
  const isStray = (view: Rendered<unknown>): boolean => isSparse(memoryOf(view), keptIn.get(memoryOf(view)) ?? 0);
  await inSlices(held.values(), yieldTurn, ({ views }) => {
    for (const view of viewsIn(views)) keptIn.set(memoryOf(view), (keptIn.get(memoryOf(view)) ?? 0) + view.byteLength);
  });
  await inSlices(held, yieldTurn, ([id, { since, views }]) => {
    if (!viewsIn(views).some(isStray)) return;
    const moved = Object.entries<Rendered<unknown>>(views).map(([name, view]) => [name, moveRendered(view)] as const);
    held.set(id, { since, views: Object.fromEntries(moved) as unknown as RenderedViews<Views> });
  });
}

function viewsIn(views: Readonly<Record<string, Rendered<unknown>>>): readonly Rendered<unknown>[] {
  return Object.values(views);
}

async function inSlices<Item>(
  items: Iterable<Item>,
  yieldTurn: () => Promise<void>,
  work: (item: Item) => void,
): Promise<void> {
  let done = 0;
  for (const item of items) {
    work(item);
    if (++done % recordsPerTurn === 0) await yieldTurn();
  }
}

function bytesOf(views: Readonly<Record<string, Rendered<unknown>>> = {}): number {
  return viewsIn(views).reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function loadViews<Views extends RecordViews>(provers: ViewProvers<Views>, bodies: StoredBodies): RenderedViews<Views> {
  return mapViews(provers, bodies, (prover, { text, seal }) => prover.load(text, seal));
}

function mapViews<Views extends RecordViews>(
  provers: ViewProvers<Views>,
  bodies: StoredBodies,
  render: (prover: Prover<unknown>, stored: StoredText) => Rendered<unknown>,
): RenderedViews<Views> {
  const views = viewNames
    .filter((view) => view in provers)
    .map((view) => [view, render(provers[view as keyof Views], bodies[view] ?? missing)] as const);
  // One entry per view of the provers, which are one per view of the record.
  return Object.fromEntries(views) as unknown as RenderedViews<Views>;
}

/** Not a JSON text: its proof fails where the view is needed. */
const missing: StoredText = { text: '' };
