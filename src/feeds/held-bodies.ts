import type { Prover } from '../contract/prover.js';
import type { Rendered } from '../contract/rendered.js';
import type { RecordViews, RenderedViews, StoredBodies } from './published-record.js';
import { recordsPerTurn } from './records-per-turn.js';

/** Proves the views of a record. */
export type ViewProvers<Views extends RecordViews> = { readonly [View in keyof Views]: Prover<Views[View]> };

/**
 * The proven bytes of records, of each the newest alone, whatever versions of the feed are kept: what an older one showed
 * of a record that has changed since is read from the database.
 */
export interface HeldBodies<Views extends RecordViews> {
  /** Holds what a record is from a version on. @throws ContractBreach when it breaks the contract; what it was is kept. */
  hold(id: string, version: number, bodies: StoredBodies): void;
  letGo(id: string): void;
  /** Lets go of all but what is held from such a version on; `yieldTurn` is awaited between slices of work. */
  keepOnly(isKept: (since: number) => boolean, yieldTurn: () => Promise<void>): Promise<void>;
  /** What a record is in a version; undefined where that is not held. */
  find<View extends keyof Views & string>(view: View, id: string, version: number): Rendered<Views[View]> | undefined;
}

/** Holds nothing yet. */
export function createHeldBodies<Views extends RecordViews>(provers: ViewProvers<Views>): HeldBodies<Views> {
  const held = new Map<string, { readonly since: number; readonly views: RenderedViews<Views> }>();
  return {
    hold: (id, version, bodies) => void held.set(id, { since: version, views: loadViews(provers, bodies) }),
    letGo: (id) => void held.delete(id),
    async keepOnly(isKept, yieldTurn) {
      let looked = 0;
      for (const [id, { since }] of held) {
        if (!isKept(since)) held.delete(id);
        if (++looked % recordsPerTurn === 0) await yieldTurn();
      }
    },
    find(view, id, version) {
      const found = held.get(id);
      return found === undefined || found.since > version ? undefined : found.views[view];
    },
  };
}

function loadViews<Views extends RecordViews>(
  provers: ViewProvers<Views>,
  { full, basic = missing }: StoredBodies,
): RenderedViews<Views> {
  const names = Object.keys(provers) as (keyof Views & string)[];
  const load = (view: (typeof names)[number]) => {
    const { text, seal } = view === 'basic' ? basic : full;
    return provers[view].load(text, seal);
  };
  const views = names.map((view) => [view, load(view)] as const);
  // One entry per view of the provers, which are one per view of the record.
  return Object.fromEntries(views) as unknown as RenderedViews<Views>;
}

/** No value's text: whoever needs it refuses it. */
const missing = { text: '' };
