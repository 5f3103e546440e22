import { ServiceError, type Reason } from '../../errors.js';
import { countyLabel } from '../../places/metros/county-label.js';
import type { CountyName } from '../../places/metros/county-names.js';
import type { DeclaredCounty } from '../../sources/declared-county-reader.js';
import {
  countiesOf,
  coverageOf,
  declaredFor,
  isPlace,
  nearestCounty,
  type AskedPlace,
  type CountyFeed,
  type CoverageQuestion,
} from './coverage-of.js';

export interface NothingMatched extends CoverageQuestion {
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

/** Creates what explains an empty answer by what the sources of its feed read. */
export function createExplainNothing({ readDeclared, waitFor }: CoveragePorts): ExplainNothing {
  return async (what) => {
    const { feed, place, reason, detail } = what;
    const declared = await readDeclared();
    const { status, asked, read } = coverageOf(what, declared);
    // Of everything, the publication of the feed has told.
    if (status === 'pending' && isPlace(place)) return readFirst(capital(feed), waitFor(feed));
    if (status === 'none' && isPlace(place)) return outside(what, declared);
    const where = place.county === undefined ? place.state?.toUpperCase() : 'this name';
    const part =
      status === 'partial' && isPlace(place) && read > 0
        ? ` ${read} of the ${asked} counties of ${where} are read.`
        : '';
    return new ServiceError(reason, `${detail}${part} Nothing was billed.`);
  };
}

/** That records of a place are still to be read. */
export function readFirst(records: string, retryAfterSeconds: number): ServiceError {
  const message = `${records} of this place are read for the first time.`;
  return new ServiceError('not_yet_published', message, { retryAfterSeconds });
}

const mostNames = 10;

function outside(what: NothingMatched, declared: readonly DeclaredCounty[]): ServiceError {
  const { feed, leadType, place } = what;
  const kind = leadType === undefined ? feed : `${leadType} leads`;
  const names = listByState(declaredFor(what, declared));
  return new ServiceError(
    'outside_coverage',
    `No source of ${kind} reads ${nameOf(place)}. ${capital(kind)} are read in: ${names}. Nothing was billed.`,
  );
}

function nameOf(place: AskedPlace): string {
  const [only, ...others] = countiesOf(place);
  if (only === undefined) {
    const nearest = nearestCounty(place);
    return `it: no US county has this name${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`;
  }
  if (others.length === 0) return countyLabel(only.countyFips, only.state);
  return place.county === undefined ? (place.state?.toUpperCase() ?? '') : 'any county of this name';
}

/** `Cuyahoga, Franklin, OH; Marion, IN`. */
function listByState(counties: readonly CountyName[]): string {
  if (counties.length === 0) return 'no county';
  const byState = new Map<string, string[]>();
  for (const { state, name } of counties.slice(0, mostNames)) byState.set(state, [...(byState.get(state) ?? []), name]);
  const more = counties.length > mostNames ? ` and ${counties.length - mostNames} more` : '';
  return [...byState].map(([state, names]) => `${names.join(', ')}, ${state}`).join('; ') + more;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
