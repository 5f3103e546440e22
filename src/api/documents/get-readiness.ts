import { ServiceError } from '../../errors.js';
import type { Handler } from '../handler.js';

/** What the answer rests on. Asks nobody: what is known is known from before. */
export interface ReadinessPorts {
  /** The names of all feeds, and of those without a readable version. */
  readonly feeds: object;
  readonly listUnpublished: () => readonly string[];
  /** The checks that find that nothing can be sold now, in words that tell no host, path or key. */
  readonly listProblems: () => readonly { readonly id: string; readonly why: string; readonly cure: string }[];
  readonly isStopping: () => boolean;
}

/** GET /readyz: ready, with the names of feeds without a publication; else 503 with each check's finding and cure. */
export function createGetReadiness(ports: ReadinessPorts): Handler<'getReadiness'> {
  const feedCount = Object.keys(ports.feeds).length;
  return () => {
    const unpublished = [...ports.listUnpublished()];
    const told = ports.listProblems().map(({ id, why, cure }) => `${id}: ${why} ${cure}`);
    if (unpublished.length === feedCount) told.push('data.feed: No feed is published yet. npm run cli -- run listings');
    if (ports.isStopping()) told.unshift('this instance is stopping');
    if (told.length > 0)
      throw new ServiceError('temporarily_unavailable', `Not ready: ${told.join('; ')}`, { retryAfterSeconds: 5 });
    const named = unpublished.length === 0 ? {} : { not_yet_published: unpublished };
    return { status: 200, body: { status: 'ready', ...named } };
  };
}
