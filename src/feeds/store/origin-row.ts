import type { Origin } from '../takedowns.js';

/** What the columns of a record say of its origin. */
export interface OriginRow {
  readonly id: string;
  readonly sources: string | null;
  readonly matched: string | null;
}

/** Of a record that does not say what it is made of: a source that no instance knows, so that it is not shown. */
const unsaid = '?';

export function toOrigin({ id, sources, matched }: OriginRow): Origin {
  return { id, sources: sources ?? unsaid, matched: matched ?? undefined };
}
