import type { ReadTakedowns, SourceRights } from './store/takedown-store.js';

/** The sources and records that a published record is made of. A takedown of any takes it down. */
export interface Origin {
  readonly id: string;
  /** Names of its sources, separated by spaces. */
  readonly sources: string;
  /** Ids of its matched county records, separated by spaces; absent if it has none. */
  readonly matched?: string | null | undefined;
}

/**
 * Decides whether a published record may be shown. It may not:
 * - if its property or one of its county records is suppressed
 * - if the licence of one of its sources has ended, by its date and without a write, or shows fewer fields
 *
 * Takedowns are numbered. `takedownNumber` is the number up to which a feed version was published without the records
 * of takedowns.
 */
export interface Takedowns {
  /** Reads new takedowns of all instances. */
  refresh(): Promise<void>;
  /** The last takedown, as last refreshed: the number of a publication that begins now. */
  number(): number;
  /** Changes whenever an answer may change. */
  revision(): number;
  mayShow(record: Origin, takedownNumber: number): boolean;
  /** Whether all sources of an `Origin` may be shown. */
  mayShowSources(sources: string, takedownNumber: number): boolean;
  /** Ids of the suppressed records of all feeds that a version may still show. */
  suppressedAfter(takedownNumber: number): ReadonlySet<string>;
  /** The same for one feed. */
  suppressedOf(feed: string, takedownNumber: number): readonly string[];
  /** By their ids, all suppressed records that ever were in a feed. */
  suppressedEver(): ReadonlyMap<string, unknown>;
}

/** Creates an empty set: no source may be shown before the first refresh. */
export function createTakedowns(read: ReadTakedowns, now: () => Date): Takedowns {
  let number = 0;
  const suppressed = new Map<string, { readonly feed: string; readonly number: number }>();
  let sources = new Map<string, SourceRights>();
  let revision = 0;
  /** The sources in force, and when the next licence ends by its date. */
  let judged = { untilMs: Infinity, inForce: '' };
  let [begun, applied] = [0, 0];

  const hasEnded = ({ granted, endsAtMs }: SourceRights): boolean =>
    !granted || (endsAtMs !== null && endsAtMs <= now().getTime());

  function judge(): void {
    const shown = [...sources.values()].filter((source) => !hasEnded(source));
    const inForce = shown.map(({ name }) => name).join(' ');
    if (inForce !== judged.inForce) revision += 1;
    judged = { inForce, untilMs: Math.min(...shown.flatMap(({ endsAtMs }) => endsAtMs ?? [])) };
  }

  function mayShowSources(names: string, takedownNumber: number): boolean {
    if (names === '') return true;
    return names.split(' ').every((name) => {
      const source = sources.get(name);
      return source !== undefined && !hasEnded(source) && source.narrowedBy <= takedownNumber;
    });
  }

  const isSuppressed = (id: string, takedownNumber: number): boolean =>
    (suppressed.get(id)?.number ?? 0) > takedownNumber;

  return {
    async refresh() {
      const turn = ++begun;
      const written = await read(number);
      if (written.suppressed.some(({ id }) => !suppressed.has(id))) revision += 1;
      for (const { feed, id, number: by } of written.suppressed) suppressed.set(id, { feed, number: by });
      // A refresh that began later has newer data.
      if (turn < applied) return;
      applied = turn;
      sources = new Map(written.sources.map((source) => [source.name, source]));
      if (written.number > number) revision += 1;
      number = Math.max(number, written.number);
      judge();
    },
    number: () => number,
    revision() {
      if (now().getTime() >= judged.untilMs) judge();
      return revision;
    },
    mayShow: ({ id, sources: names, matched }, takedownNumber) =>
      mayShowSources(names, takedownNumber) &&
      ![id, ...(matched ?? '').split(' ')].some((each) => isSuppressed(each, takedownNumber)),
    mayShowSources,
    suppressedEver: () => suppressed,
    suppressedAfter: (takedownNumber) =>
      new Set(number <= takedownNumber ? [] : [...suppressed.keys()].filter((id) => isSuppressed(id, takedownNumber))),
    suppressedOf: (feed, takedownNumber) =>
      [...suppressed].flatMap(([id, by]) => (by.feed === feed && by.number > takedownNumber ? id : [])),
  };
}
