import { ServiceError } from '../../errors.js';
import type { Handler } from '../handler.js';

/** Reasons why the server is not ready, in plain words; empty when it can sell. */
export type FindReadinessProblems = () => readonly string[];

/** GET /readyz: ready, with the names of feeds without a publication; else 503 with the reasons. */
export function createGetReadiness(
  findReadinessProblems: FindReadinessProblems,
  listUnpublished: () => readonly string[],
): Handler<'getReadiness'> {
  return () => {
    const obstacles = findReadinessProblems();
    if (obstacles.length > 0) {
      throw new ServiceError(
        'temporarily_unavailable',
        `Not ready: ${obstacles.map((each) => each.replace(/\.$/, '')).join('; ')}.`,
        {
          retryAfterSeconds: 2,
        },
      );
    }
    const unpublished = [...listUnpublished()];
    const named = unpublished.length === 0 ? {} : { not_yet_published: unpublished };
    return { status: 200, body: { status: 'ready', ...named } };
  };
}
