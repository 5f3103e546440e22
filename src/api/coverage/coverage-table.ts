import type { LeadType } from '../../../generated/types.gen.js';
import { memoizeLast } from '../../operations/memoize-last.js';
import type { SoldFeeds } from '../../records/feeds/sold-feeds.js';
import type { CoveringKind, SourceCoverage } from '../../sources/coverage-reader.js';
import { isAsPromised } from '../../sources/judge-freshness.js';

/** What can be covered: a feed, or the leads of one type. */
export type Covered = 'deals' | 'signals' | 'auctions' | 'leads' | LeadType;

/** How a county is covered. */
export interface CountyCoverage {
  /** read: a complete run is published and as recent as promised; late: it is older; pending: there is none yet. */
  readonly status: 'read' | 'late' | 'pending';
  readonly asOf: Date | undefined;
  /** By name. */
  readonly sources: readonly string[];
}

/** How a county is covered, where sources declare it. */
export type CountyRow = Readonly<Partial<Record<Covered, CountyCoverage>>>;
/** Each declared county by its FIPS code. */
export type CoverageTable = ReadonlyMap<string, CountyRow>;

/**
 * The kinds of records from which something is made: one of each group. A listing becomes a lead through a county
 * record.
 */
const madeOf: Readonly<Record<Covered, readonly (readonly CoveringKind[])[]>> = {
  deals: [['listings']],
  signals: [['signals']],
  auctions: [['auctions']],
  leads: [['signals', 'auctions']],
  sheriff_sale_auction: [['auctions']],
  tax_delinquent_owner: [['signals']],
  motivated_listing: [['listings'], ['signals', 'auctions']],
};
export const allCovered = Object.keys(madeOf) as readonly Covered[];

const ofOwnFeed: readonly Covered[] = ['deals', 'signals', 'auctions'];

/** How the counties are covered at a moment. Pure. */
export function tabulateCoverage(sources: readonly SourceCoverage[], now: Date): CoverageTable {
  const byCounty = new Map<string, SourceCoverage[]>();
  for (const source of sources)
    for (const county of source.counties) byCounty.set(county, [...(byCounty.get(county) ?? []), source]);
  const rows = [...byCounty].sort().map(([county, own]) => {
    const covered = allCovered.flatMap((each) => {
      const coverage = judge(each, own, now);
      return coverage === undefined ? [] : [[each, coverage] as const];
    });
    return [county, Object.fromEntries(covered)] as const;
  });
  return new Map(rows);
}

function judge(covered: Covered, own: readonly SourceCoverage[], now: Date): CountyCoverage | undefined {
  const groups = madeOf[covered].map((kinds) => own.filter(({ delivers }) => kinds.includes(delivers)));
  if (groups.some((group) => group.length === 0)) return undefined;
  const asOfGroups = groups.map((group) =>
    Math.max(
      ...group.map((each) => (ofOwnFeed.includes(covered) ? each.asOf : each.leadsAsOf)?.getTime() ?? -Infinity),
    ),
  );
  const asOfMs = Math.min(...asOfGroups);
  const sources = groups.flat().map(({ name }) => name);
  if (asOfMs === -Infinity) return { status: 'pending', asOf: undefined, sources };
  const asOf = new Date(asOfMs);
  return { status: isAsPromised('listings', asOf, now) ? 'read' : 'late', asOf, sources };
}

export interface TablePorts {
  readonly readSources: (now: Date) => Promise<readonly SourceCoverage[]>;
  readonly feeds: SoldFeeds;
  readonly now: () => Date;
}

/** Creates the reader of the table, which asks the database at most once for each minute and each publication. */
export function createReadTable({ readSources, feeds, now }: TablePorts): () => Promise<CoverageTable> {
  const all = Object.values(feeds);
  const readMemoized = memoizeLast((_seen: object, at: Date) =>
    readSources(at).then((sources) => tabulateCoverage(sources, at)),
  );
  let seen = { minute: NaN, snapshots: [] as readonly object[], published: 0 };
  return () => {
    const at = now();
    // Each 402 comes here: what is compared is not written as a text.
    const minute = Math.floor(at.getTime() / minuteMs);
    let [isSeen, published] = [seen.minute === minute, 0];
    for (let index = 0; index < all.length; index++) {
      const feed = all[index];
      if (feed?.isPublished() === true) published++;
      if (feed?.current() !== seen.snapshots[index]) isSeen = false;
    }
    if (!isSeen || published !== seen.published)
      seen = { minute, published, snapshots: all.map((feed) => feed.current()) };
    return readMemoized(seen, at);
  };
}

const minuteMs = 60_000;
