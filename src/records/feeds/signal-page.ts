import type { Signal, SignalList } from '../../../generated/types.gen.js';
import { createAroundRenderer } from '../../contract/prover.js';
import type { Validators } from '../../contract/validators.js';
import type { Rendered } from '../../contract/rendered.js';
import type { FeedPage } from '../../feeds/feed.js';
import { pagePath } from '../../feeds/page-token.js';
import { signalSchemaNotes } from '../signal.js';

/** Renders a page as the contract's SignalList. */
export type RenderSignalPage = (page: FeedPage<Signal>) => Rendered<SignalList>;

/** Renders each page once, so that its digest is computed once. */
export function createRenderSignalPage(validators: Validators): RenderSignalPage {
  const render = createAroundRenderer<SignalList, 'signals'>(validators, 'SignalList', 'signals');
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
