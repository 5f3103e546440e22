import type { Origin } from '../takedowns.js';

/** The origin in the columns of a record. */
export interface OriginRow {
  readonly id: string;
  readonly sources: string | null;
  readonly matched: string | null;
}

/** The source of a record without an origin. It is unknown to all instances, so that the record is not shown. */
const unsaid = '?';

export function toOrigin({ id, sources, matched }: OriginRow): Origin {
  return { id, sources: sources ?? unsaid, matched: matched ?? undefined };
}
