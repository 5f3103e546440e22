import { gatherRendered, joinRendered, type Rendered } from '../../contract/rendered.js';
import type { RecordList } from './feed-kind.js';

/** What a request matches in one version of the feed; the same whenever it is asked. */
export interface Slice<Rank> {
  readonly body: Rendered<unknown[]>;
  /** Bytes of the body that are in memory for this page alone. */
  readonly ownBytes: number;
  readonly total: number;
  readonly ids: readonly string[];
  /** The last record, when there are more. */
  readonly nextAfter: Rank | undefined;
}

/** Bytes that a page takes: next to nothing for records that are held anyway. */
export function sizeOf({ body, ownBytes, ids }: Slice<unknown>): number {
  return ownBytes + body.chunks.length * 16 + ids.length * 8 + 500;
}

/** The records that stand at some positions, in their order. */
export function recordsAt<Columns>(
  records: Pick<RecordList<Columns>, 'at'>,
  positions: readonly number[],
): readonly Columns[] {
  const found: Columns[] = [];
  for (const position of positions) {
    const record = records.at(position);
    if (record !== undefined) found.push(record);
  }
  return found;
}

/** The first of some records that have a body, at most `limit`; and the last record needed, where more follow it. */
export function firstShown<Columns, Body>(
  records: readonly Columns[],
  allIds: readonly string[],
  allBodies: readonly (Body | undefined)[],
  limit: number,
  hasMore: boolean,
) {
  const ids: string[] = [];
  const bodies: Body[] = [];
  let end = 0;
  for (; end < records.length && bodies.length < limit; end++) {
    const body = allBodies[end];
    if (body === undefined) continue;
    ids.push(allIds[end] ?? '');
    bodies.push(body);
  }
  const isCut = allBodies.slice(end).some((body) => body !== undefined);
  const last = isCut ? records[end - 1] : hasMore ? records.at(-1) : undefined;
  return { ids, bodies, last };
}

/**
 * The list of some bodies; in one piece where most of it is in memory for this list alone, which is then kept and let
 * go of as one thing.
 */
export function joinBodies(
  bodies: readonly Rendered<unknown>[],
  ownBytes: number,
): Pick<Slice<unknown>, 'body' | 'ownBytes'> {
  const body = joinRendered(bodies);
  if (ownBytes * 2 < body.byteLength) return { body, ownBytes };
  return { body: gatherRendered(body), ownBytes: body.byteLength };
}
