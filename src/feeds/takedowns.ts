import type { ReadTakedowns, SourceRights } from './store/takedown-reader.js';

/** What a published record is made of: all that may take it down. */
export interface Origin {
  readonly id: string;
  /** Names of the sources whose words it has, joined by blanks. */
  readonly sources: string;
  /** Ids of the county records that it tells of, joined by blanks; undefined where it tells of none. */
  readonly matched?: string | undefined;
}

/**
 * The one answer to whether a published record may be shown. It may not where it is of a suppressed property, or tells
 * of a record that is; where a licence ended under which it has a word, on its day without anything being written; or
 * where such a licence shows fewer fields. Each version says up to which takedown it was published without all of that.
 */
export interface Takedowns {
  /** Takes in what was written since, here or elsewhere. */
  refresh(): Promise<void>;
  /** Of the last takedown, as last refreshed: what is read from now on and published is without it. */
  number(): number;
  /** Another number whenever another answer is possible. */
  revision(): number;
  /** Whether a record may be shown that was published without the takedowns up to a number. */
  mayShow(record: Origin, without: number): boolean;
  /** Whether the sources of a record, as its `sources` names them, may all be shown. */
  mayShowSources(sources: string, without: number): boolean;
  /** Ids of suppressed records that a version which is without the takedowns up to a number may show; of all feeds. */
  suppressedAfter(without: number): ReadonlySet<string>;
  /** The same of one feed. */
  suppressedOf(feed: string, without: number): readonly string[];
}

/** Creates the set, as of nothing written: no source may be shown until it is refreshed. */
export function createTakedowns(read: ReadTakedowns, now: () => Date): Takedowns {
  let number = 0;
  const suppressed = new Map<string, { readonly feed: string; readonly number: number }>();
  let sources = new Map<string, SourceRights>();
  let revision = 0;
  /** Which sources are in force, until the next licence ends by its date. */
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

  function mayShowSources(names: string, without: number): boolean {
    if (names === '') return true;
    return names.split(' ').every((name) => {
      const source = sources.get(name);
      return source !== undefined && !hasEnded(source) && source.narrowedBy <= without;
    });
  }

  const isSuppressed = (id: string, without: number): boolean => (suppressed.get(id)?.number ?? 0) > without;

  return {
    async refresh() {
      const turn = ++begun;
      const written = await read(number);
      for (const { feed, id, number: by } of written.suppressed) suppressed.set(id, { feed, number: by });
      // One that began before another may end behind it, and knows no more than that one.
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
    mayShow: ({ id, sources: names, matched = '' }, without) =>
      mayShowSources(names, without) && ![id, ...matched.split(' ')].some((each) => isSuppressed(each, without)),
    mayShowSources,
    suppressedAfter: (without) =>
      new Set(number <= without ? [] : [...suppressed.keys()].filter((id) => isSuppressed(id, without))),
    suppressedOf: (feed, without) =>
      [...suppressed].flatMap(([id, by]) => (by.feed === feed && by.number > without ? id : [])),
  };
}
