import { ServiceError } from '../../errors.js';
import type { Handler } from '../handler.js';

/** What the answer rests on. Asks nobody: what is known is known from before. */
export interface ReadinessPorts {
  /** The names of all feeds, and of those without a readable version. */
  readonly feeds: object;
  readonly listUnpublished: () => readonly string[];
  /** Why nothing can be settled now; undefined where that is possible. */
  readonly settlementProblem: () => { readonly why: string; readonly detail: readonly string[] } | undefined;
  readonly isStopping: () => boolean;
}

/** GET /readyz: ready, with the names of feeds without a publication; else 503 with the reasons. */
export function createGetReadiness(ports: ReadinessPorts): Handler<'getReadiness'> {
  const feedCount = Object.keys(ports.feeds).length;
  return () => {
    const unpublished = [...ports.listUnpublished()];
    const problem = ports.settlementProblem();
    const obstacles = [
      ...(ports.isStopping() ? ['this instance is stopping'] : []),
      ...(unpublished.length === feedCount ? ['no feed is published yet'] : []),
      ...(problem ? [problem.why, ...problem.detail] : []),
    ];
    if (obstacles.length > 0) {
      const list = obstacles.map((each) => each.replace(/\.$/, '')).join('; ');
      throw new ServiceError('temporarily_unavailable', `Not ready: ${list}.`, { retryAfterSeconds: 2 });
    }
    const named = unpublished.length === 0 ? {} : { not_yet_published: unpublished };
    return { status: 200, body: { status: 'ready', ...named } };
  };
}
