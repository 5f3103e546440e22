import { ServiceError } from '../../errors.js';
import type { Handler } from '../handler.js';

/** What is not ready now, in plain words; empty when the server can sell. */
export type FindObstacles = () => Promise<readonly string[]>;

/** GET /readyz: the server can sell, with the feeds that it cannot sell yet; else 503 with what is missing. */
export function createGetReadiness(
  findObstacles: FindObstacles,
  listUnpublished: () => readonly string[],
): Handler<'getReadiness'> {
  return async () => {
    const obstacles = await findObstacles();
    if (obstacles.length > 0) {
      throw new ServiceError('temporarily_unavailable', `Not ready: ${obstacles.join('; ')}.`, {
        retryAfterSeconds: 2,
      });
    }
    const unpublished = [...listUnpublished()];
    const named = unpublished.length === 0 ? {} : { not_yet_published: unpublished };
    return { status: 200, body: { status: 'ready', ...named } };
  };
}
