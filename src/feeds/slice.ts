import { gatherRendered, joinRendered, type Rendered } from '../contract/rendered.js';
import type { RecordList } from './feed-kind.js';

/** What a request matches in one version of the feed; the same whenever it is asked. */
export interface Slice<Rank> {
  readonly body: Rendered<unknown[]>;
  /** Of the body, what is in memory for this page alone. */
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

/** The first of some records that have a body, by index, at most `limit`; and the last record needed, where more follow it. */
export function firstShown<Record, Body>(
  records: readonly Record[],
  bodies: readonly (Body | undefined)[],
  limit: number,
  hasMore: boolean,
) {
  const shown: { readonly index: number; readonly body: Body }[] = [];
  for (const [index, body] of bodies.entries()) if (body !== undefined) shown.push({ index, body });
  const last = shown.length > limit ? records[shown[limit - 1]?.index ?? 0] : hasMore ? records.at(-1) : undefined;
  return { shown: shown.slice(0, limit), last };
}

/**
 * The list of some bodies; in one piece where most of it is in memory for this list alone, which is then kept and let go of
 * as one thing.
 */
export function joinBodies(
  shown: readonly { readonly body: Rendered<unknown> }[],
  ownBytes: number,
): Pick<Slice<unknown>, 'body' | 'ownBytes'> {
  const body = joinRendered(shown.map((each) => each.body));
  if (ownBytes * 2 < body.byteLength) return { body, ownBytes };
  return { body: gatherRendered(body), ownBytes: body.byteLength };
}
