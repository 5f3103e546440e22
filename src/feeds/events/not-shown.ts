import { hash } from 'node:crypto';
import type { RecordList } from '../query/feed-kind.js';
import type { Identified } from '../query/identified.js';
import { hashId } from '../query/id-table.js';
import type { Origin, Takedowns } from '../takedowns.js';
import type { EventRows } from './event-rows.js';

/** The events that are not sold as they were published. */
export interface NotShown {
  /** Their positions. */
  readonly positions: ReadonlySet<number>;
  /** Those of them that tell instead that their record is to be deleted: the last one of each record. */
  readonly notices: ReadonlySet<number>;
  /** Equal for equal positions; empty where all are shown. */
  readonly key: string;
}

export interface NotShownPorts {
  readonly takedowns: Takedowns;
  /** Which of some records are published now and may be shown. */
  readonly findShown: (ids: ReadonlySet<string>) => ReadonlySet<string>;
}

/**
 * Finds the events of records that were taken down: suppressed ones, also later, and those of a source whose licence
 * has ended. Where a licence only shows fewer fields, events of before tell nothing any more.
 */
export function findNotShown<Columns extends Identified & Pick<Origin, 'sources'>>(
  rows: EventRows<Columns>,
  size: number,
  { takedowns, findShown }: NotShownPorts,
): NotShown {
  const suppressed = takedowns.suppressedEver();
  const hashes = new Set([...suppressed.keys()].map(hashId));
  const positions = new Set<number>();
  const gone = new Map<string, number>();
  const mayShow = remember(takedowns.mayShowSources);

  for (let position = 0; position < size; position++) {
    const { takedownNumber } = rows.at(position);
    const sources = [rows.before(position), rows.after(position)].flatMap((side) => side?.sources ?? []);
    const isSuppressed = hashes.has(rows.idHash(position)) && suppressed.has(rows.at(position).id);
    const isShown = !isSuppressed && sources.every((names) => mayShow(names, takedownNumber));
    if (isShown && gone.size === 0) continue;
    const { id } = rows.at(position);
    if (!isShown) positions.add(position);
    const isGone = isSuppressed || !sources.every((names) => mayShow(names, Infinity));
    if (!isShown && isGone) gone.set(id, position);
    else gone.delete(id);
  }
  const shown = gone.size === 0 ? new Set<string>() : findShown(new Set(gone.keys()));
  const notices = new Set([...gone].flatMap(([id, position]) => (shown.has(id) ? [] : position)));
  const key = positions.size === 0 ? '' : hash('sha256', [...positions, '', ...notices].join(), 'base64url');
  return { positions, notices, key };
}

function remember(test: Takedowns['mayShowSources']): Takedowns['mayShowSources'] {
  const known = new Map<string, boolean>();
  return (sources, takedownNumber) => {
    const key = `${takedownNumber} ${sources}`;
    let may = known.get(key);
    if (may === undefined) known.set(key, (may = test(sources, takedownNumber)));
    return may;
  };
}

/** The parts of a feed that decide which records are shown. */
export interface ShownRecords {
  current(): { readonly records: RecordList<Origin> };
  mayShow(record: Origin): boolean;
}

/** Which of some records a feed shows. */
export function findShownAmong(feed: ShownRecords, ids: ReadonlySet<string>): ReadonlySet<string> {
  const hashes = new Set([...ids].map(hashId));
  const { records } = feed.current();
  const shown = new Set<string>();
  for (let position = 0; position < records.length; position++) {
    if (!hashes.has(records.idHash(position))) continue;
    const record = records.at(position);
    if (record !== undefined && ids.has(record.id) && feed.mayShow(record)) shown.add(record.id);
  }
  return shown;
}
