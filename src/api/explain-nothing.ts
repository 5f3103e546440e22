import { ServiceError, type Reason } from '../errors.js';
import { foldPlace } from '../feeds/feed-kind.js';
import { createCountyMatch } from '../feeds/place-match.js';
import { countyLabel } from '../metros/county-label.js';
import { countyNames } from '../metros/county-names.js';
import type { DeclaredCounty } from '../sources/declared-county-reader.js';

/** A feed whose coverage is decided by county. */
export type CountyFeed = 'signals' | 'auctions' | 'leads';

export interface AskedPlace {
  /** Two-letter code; case does not matter. */
  readonly state?: string | undefined;
  /** Part of the county label. */
  readonly county?: string | undefined;
}

export interface NothingMatched {
  readonly feed: CountyFeed;
  readonly place: AskedPlace;
  /** Places of the published records, folded. */
  readonly places: ReadonlySet<string>;
  /** Where the place is read: why there is nothing all the same. */
  readonly reason: Reason;
  readonly detail: string;
}

/** Why nothing matches: the place is not read, was not read yet, or has nothing. Never billed. */
export type ExplainNothing = (what: NothingMatched) => Promise<ServiceError>;

export interface CoveragePorts {
  readonly readDeclared: () => Promise<readonly DeclaredCounty[]>;
  /** Seconds until it is worth asking for a feed again. */
  readonly waitFor: (feed: CountyFeed) => number;
}

/** What the sources of a feed read of a place. */
export interface Coverage {
  readonly status: 'full' | 'partial' | 'none' | 'pending';
  /** How many counties were asked for, and how many of them are read. */
  readonly asked: number;
  readonly read: number;
}

const counties = countyNames.map(({ countyFips, state, name }) => ({
  countyFips,
  state,
  name,
  label: foldPlace(countyLabel(countyFips, state)),
}));

/**
 * What of a place a feed reads: a county counts that a source of the feed declares or that has a published record. Without
 * a place, every declared county is asked for. Leads are made of signals and auctions.
 */
export function coverageOf(
  { feed, place, places }: Pick<NothingMatched, 'feed' | 'place' | 'places'>,
  declared: readonly DeclaredCounty[],
): Coverage {
  const own = declared.filter(({ delivers }) => isOf(feed, delivers));
  const read = new Set(own.filter(({ isRead }) => isRead).map(({ countyFips }) => countyFips));
  const known = new Set(own.map(({ countyFips }) => countyFips));
  const asked = countiesOf(place).filter(
    ({ countyFips, label }) =>
      place.state !== undefined || place.county !== undefined || known.has(countyFips) || places.has(label),
  );
  const readCount = asked.filter(({ countyFips, label }) => read.has(countyFips) || places.has(label)).length;
  const counts = { asked: asked.length, read: readCount };
  if (readCount > 0) return { status: readCount === asked.length ? 'full' : 'partial', ...counts };
  if (isPublished(place, places)) return { status: 'partial', ...counts };
  return { status: asked.some(({ countyFips }) => known.has(countyFips)) ? 'pending' : 'none', ...counts };
}

/** Creates what explains an empty answer by what the sources of its feed read. */
export function createExplainNothing({ readDeclared, waitFor }: CoveragePorts): ExplainNothing {
  return async (what) => {
    const { feed, place, reason, detail } = what;
    const declared = await readDeclared();
    const { status, asked, read } = coverageOf(what, declared);
    const hasPlace = place.state !== undefined || place.county !== undefined;
    if (status === 'pending')
      return new ServiceError('not_yet_published', `${capital(feed)} of this place are read for the first time.`, {
        retryAfterSeconds: waitFor(feed),
      });
    if (status === 'none' && hasPlace) return outside(what, declared);
    const part =
      status === 'partial' && hasPlace && read > 0 ? ` ${read} of the ${asked} counties asked for are read.` : '';
    return new ServiceError(reason, `${detail}${part} Nothing was billed.`);
  };
}

const mostNames = 10;

function outside({ feed, place, places }: NothingMatched, declared: readonly DeclaredCounty[]): ServiceError {
  const asked = countiesOf(place);
  const [only] = asked;
  const where =
    only === undefined
      ? 'it: no US county has this name'
      : asked.length === 1
        ? countyLabel(only.countyFips, only.state)
        : (place.state?.toUpperCase() ?? 'any county of this name');
  const own = new Set(declared.filter(({ delivers }) => isOf(feed, delivers)).map(({ countyFips }) => countyFips));
  const names = counties
    .filter(({ countyFips, label }) => own.has(countyFips) || places.has(label))
    .map(({ name, state }) => `${name}, ${state}`);
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  const list = names.length === 0 ? 'no county' : names.slice(0, mostNames).join('; ') + more;
  return new ServiceError(
    'outside_coverage',
    `No source of ${feed} reads ${where}. ${capital(feed)} are read in: ${list}. Nothing was billed.`,
  );
}

function countiesOf({ state, county }: AskedPlace): typeof counties {
  const isNamed = county === undefined ? () => true : createCountyMatch(county);
  const code = state?.toUpperCase();
  return counties.filter((each) => (code === undefined || each.state === code) && isNamed(each.label));
}

/** Records may bear a label that no county of the table has, and a lead may have a state alone. */
function isPublished({ state, county }: AskedPlace, places: ReadonlySet<string>): boolean {
  if (county === undefined) return state === undefined ? places.size > 0 : places.has(foldPlace(state));
  return [...places].filter((label) => label.length > 2).some(createCountyMatch(county));
}

function isOf(feed: CountyFeed, delivers: DeclaredCounty['delivers']): boolean {
  return feed === 'leads' ? delivers === 'signals' || delivers === 'auctions' : delivers === feed;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
