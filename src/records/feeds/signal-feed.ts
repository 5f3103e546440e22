import type { Signal, SignalList } from '../../../generated/types.gen.js';
import type { RenderAround } from '../../contract/prover.js';
import type { Rendered } from '../../contract/rendered.js';
import type { Feed, FeedPage } from '../../feeds/feed.js';
import type { SignalColumns, SignalFilter, SignalRank } from '../../feeds/query/signal-kind.js';
import type { Snapshot } from '../../feeds/query/snapshot.js';
import { pagePath } from './page-headers.js';
import { signalSchemaNotes } from '../signal.js';

/** A signal in its only view. */
export interface SignalViews {
  readonly full: Signal;
}

export type SignalSnapshot = Snapshot<SignalRank, SignalColumns, SignalFilter>;

/** The signals feed: filter columns in memory, bodies in the database. */
export type SignalFeed = Feed<SignalRank, SignalColumns, SignalFilter, SignalViews>;

/** Renders a page as the contract's SignalList. */
export type RenderSignalPage = (page: FeedPage<Signal>) => Rendered<SignalList>;

/** Renders each page once, so that its digest is computed once. */
export function createRenderSignalPage(render: RenderAround<SignalList, 'signals'>): RenderSignalPage {
  const rendered = new WeakMap<FeedPage<Signal>, Rendered<SignalList>>();
  return (page) => {
    const body = rendered.get(page) ?? render(restOf(page), page.body);
    rendered.set(page, body);
    return body;
  };
}

function restOf({ total, next }: FeedPage<Signal>): Omit<SignalList, 'signals'> {
  const path = next === undefined ? null : pagePath(next);
  const absent: SignalList['absent'] = path === null ? { next: { reason: 'not_applicable' } } : {};
  return { total, next: path, schema_notes: { ...signalSchemaNotes }, absent };
}
