import type { StateChanges } from '../../../generated/types.gen.js';
import { ServiceError } from '../../errors.js';
import type { ReadChanges } from '../../feeds/store/changes-reader.js';
import type { Handler } from '../handler.js';

export interface ChangesPorts {
  /** Changes of the deals feed. */
  readonly readChanges: ReadChanges;
  readonly now: () => Date;
}

/** GET /api/changes: deals added, removed and repriced since a moment, counted by state. */
export function createCountChanges({ readChanges, now }: ChangesPorts): Handler<'countChanges'> {
  return async ({ query }) => {
    const since = new Date(query.since);
    const { version, countedFrom, committedAt, states } = await readChanges(since);
    if (since > later(now(), committedAt)) throw liesAhead();
    return {
      status: 200,
      body: {
        since: since.toISOString(),
        counted_from: countedFrom.toISOString(),
        next_since: later(since, committedAt).toISOString(),
        feed_version: version,
        deals: {
          added: sumOf(states, 'added'),
          removed: sumOf(states, 'removed'),
          repriced: sumOf(states, 'repriced'),
          states: [...states],
        },
      },
    };
  };
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

function sumOf(states: readonly StateChanges[], change: 'added' | 'removed' | 'repriced'): number {
  return states.reduce((sum, counts) => sum + counts[change], 0);
}

function liesAhead(): ServiceError {
  const detail = 'a moment that has passed, such as `next_since` of an earlier reply';
  const fault = { parameter: 'since', in: 'query', reason: 'invalid_parameter', detail } as const;
  return new ServiceError('invalid_parameter', 'Correct the parameters in `errors`.', { faults: [fault] });
}
