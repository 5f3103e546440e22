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

/** Tells what keeps the service from selling now, or undefined; and the answer where nothing does. */
export type ReadReadiness = ReturnType<typeof createReadReadiness>;

export function createReadReadiness(ports: ReadinessPorts) {
  const feedCount = Object.keys(ports.feeds).length;
  return () => {
    const unpublished = [...ports.listUnpublished()];
    const told = ports.listProblems().map(({ id, why, cure }) => `${id}: ${why} ${cure}`);
    if (unpublished.length === feedCount) told.push('data.feed: No feed is published yet. npm run cli -- run listings');
    if (ports.isStopping()) told.unshift('this instance is stopping');
    const obstacle = told.length === 0 ? undefined : `Not ready: ${told.join('; ')}`;
    const named = unpublished.length === 0 ? {} : { not_yet_published: unpublished };
    return { obstacle, body: { status: 'ready' as const, ...named } };
  };
}

/** GET /readyz: ready, with the names of feeds without a publication; else 503 with each check's finding and cure. */
export function createGetReadiness(readReadiness: ReadReadiness): Handler<'getReadiness'> {
  return () => {
    const { obstacle, body } = readReadiness();
    if (obstacle === undefined) return { status: 200, body };
    throw new ServiceError('temporarily_unavailable', obstacle, { retryAfterSeconds: 5 });
  };
}
