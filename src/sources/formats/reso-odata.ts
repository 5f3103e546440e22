import { expectColumns } from './expect-columns.js';
import { parseListingRow } from './parse-listing-row.js';
import {
  listingMapping,
  optionalFields,
  propertyFields,
  type PropertyField,
  toListingColumns,
  wordsOf,
} from './reso/listing-columns.js';
import { expectPast, readWatermark, type Seen } from './reso/watermark.js';
import { accessOf, type SourceAccess } from '../source-access.js';
import { SourceError, unreadable } from '../source-error.js';
import type { PagedSource, RawRow, RowReject, SourcePage } from '../source.js';
import { expectList, expectObject, getJson, isObject, type JsonReply } from '../upstream/get-json.js';

const pageRows = 200;
const badRequest = 400;

export interface ResoSource extends SourceAccess {
  /** Name of the listing service, shown with each deal. */
  readonly marketplace: string;
  /** OData condition that narrows the reading, such as property types and originating system. Default: all listings. */
  readonly filter?: string | undefined;
  /** True when the server has `MlgCanView`, which says whether a listing may still be shown. */
  readonly hasCanView: boolean;
}

type Property = Readonly<Record<string, unknown>>;

/** Start of the next page. */
interface Place extends Seen {
  /**
   * Start of the run in epoch milliseconds, by the server's clock if it sends a date; undefined before the first page.
   */
  readonly begunAt?: number;
  /** The server's next link. Undefined: the page begins at the latest time seen so far. */
  readonly link?: string;
}

/**
 * Changes during a run may be missed, so the next run starts at this run's beginning at the latest. The tolerance
 * covers a reply older than its date, and a server that sends none.
 */
const clockToleranceMs = 5 * 60_000;

/**
 * A RESO Web API server as a source of listings. Source: RESO Web API Core 2.0, Data Dictionary 2.0.
 *
 * - The first load requests only active listings that may be shown. A later one requests every change since the last
 *   one, so that sold or removed listings arrive as `removedKeys`.
 * - Only active listings that may be displayed become rows; a suppressed street address stays suppressed.
 * - Pages follow `@odata.nextLink`, which must stay on the same server.
 * - A link that counts listings is not used: one that changes meanwhile moves to the end and hides another. As after a
 *   full page without a link, the next page begins at the latest time of this one, and repeats are dropped.
 * - A server that does not keep the order of change fails the run.
 */
export function createResoSource(source: ResoSource): PagedSource<'listings'> {
  const { name, licence, marketplace, hasCanView, upstream, now } = source;
  let optional: readonly PropertyField[] = optionalFields;

  async function fetchPage(cursor: string | undefined, watermark?: string): Promise<SourcePage> {
    const since = watermark === undefined ? undefined : readWatermark(watermark);
    const place: Place = cursor === undefined ? (since ?? { at: '', keys: [] }) : (JSON.parse(cursor) as Place);
    const askedAt = now().getTime();
    const { url, reply } = await ask(place, since === undefined);
    const begunAt = place.begunAt ?? (Date.parse(reply.headers.date ?? '') || askedAt);
    const page = expectObject(reply.body, `The page of ${name}`);
    const properties = expectList(page.value, `The listings of ${name}`).filter(isObject);
    expectProperties(source, properties);
    const changes = latestOfEach(properties, place);
    const seen = seenAfter(changes, place);
    const link = page['@odata.nextLink'];
    const next = typeof link === 'string' ? followable(link, url, source) : undefined;
    const isMore = properties.length > pageRows && changes.length > 0 && seen.at !== place.at;
    const hasMore = next !== undefined || properties.length === pageRows || (isMore && isInOrder(properties, place.at));
    return {
      rows: changes.filter((property) => isShown(property, hasCanView)).map(toRow),
      removedKeys: changes
        .filter((property) => !isShown(property, hasCanView))
        .flatMap((property) => keyOf(property) ?? []),
      nextCursor: hasMore ? JSON.stringify({ ...placeAfter(properties, seen, place, next), begunAt }) : undefined,
      fetchedAt: now(),
      sourceUrl: `${source.baseUrl}/Property`,
      ...(seen.at !== '' && { watermark: JSON.stringify(restartAt(seen, begunAt)) }),
    };
  }

  /** A server that lacks an optional field refuses the whole query: it is asked again, without them from then on. */
  async function ask({ link, at }: Place, isWhole: boolean): Promise<{ url: string; reply: JsonReply }> {
    const credentials = { authorization: `Bearer ${source.secret ?? ''}` };
    const isOwnQuery = link === undefined;
    const url = isOwnQuery ? pageUrl(source, at, isWhole, optional) : followable(link, source.baseUrl, source);
    const expects = isOwnQuery && optional.length > 0 ? [badRequest] : [];
    const reply = await getJson(upstream, { ...accessOf(source), url, credentials, expects });
    if (reply.status !== badRequest) return { url, reply };
    optional = [];
    return ask({ at, keys: [] }, isWhole);
  }

  /** When one time has more listings than a page, only the server knows the next page. */
  function placeAfter(properties: readonly Property[], seen: Seen, place: Place, link: string | undefined): Place {
    const isSameMoment = seen.at === place.at;
    if (link !== undefined && (isSameMoment || !new URL(link).searchParams.has('$skip'))) return { ...seen, link };
    if (isSameMoment)
      throw unreadable(
        `More listings of ${name} changed at one moment than a page holds, and its server links no next page.`,
      );
    if (!isInOrder(properties, place.at))
      throw unreadable(
        `The server of ${name} does not return the listings in the order of change. They cannot be read completely.`,
      );
    return seen;
  }

  return {
    name,
    kind: 'reso-odata',
    delivers: 'listings',
    licence,
    tellsChanges: true,
    assertCanBeginAt: (text) => expectPast(text, now()),
    fetchPage,
    parse({ key, payload }, note) {
      if (!isObject(payload)) return { reject: 'row_unreadable', key, detail: 'The row is not an object of fields.' };
      // A server that publishes the flag states yes or no in it; otherwise the flag does not apply.
      const { addressDisplay, ...unflagged } = listingMapping;
      const isFlagged = addressDisplay !== undefined && Object.hasOwn(payload, 'InternetAddressDisplayYN');
      const mapping = { marketplace, mapping: isFlagged ? listingMapping : unflagged, values: undefined };
      return parseListingRow(toListingColumns(payload), key, mapping, now().getUTCFullYear(), note);
    },
  };
}

/** URL of the changes since a time; for a whole load only active listings that may be shown. */
function pageUrl(
  { baseUrl, filter, hasCanView }: ResoSource,
  at: string,
  isWhole: boolean,
  optional: readonly PropertyField[],
): string {
  const conditions = [
    ...(filter === undefined ? [] : [`(${filter})`]),
    ...(isWhole ? ["StandardStatus eq 'Active'", ...(hasCanView ? ['MlgCanView eq true'] : [])] : []),
    ...(at === '' ? [] : [`ModificationTimestamp ge ${at}`]),
  ];
  const parameters = {
    $filter: conditions.join(' and '),
    $select: [...propertyFields, ...optional, ...(hasCanView ? ['MlgCanView'] : [])].join(','),
    $expand: 'UnitTypes',
    $top: `${pageRows}`,
    $orderby: 'ModificationTimestamp',
  };
  // OData requires %20 for a space; there the `+` of forms is a plus.
  const query = Object.entries(parameters).map(([option, value]) => `${option}=${encodeURIComponent(value)}`);
  return `${baseUrl}/Property?${query.join('&')}`;
}

/** Each listing once, by its last change, without unchanged repeats from the end of the previous page or run. */
function latestOfEach(properties: readonly Property[], seen: Seen): readonly Property[] {
  const repeats = new Set(seen.keys);
  const latest = new Map<unknown, Property>();
  for (const property of properties) {
    const key = property.ListingKey;
    if (property.ModificationTimestamp === seen.at && repeats.has(String(key))) continue;
    latest.delete(key);
    latest.set(key, property);
  }
  return [...latest.values()];
}

function seenAfter(properties: readonly Property[], before: Seen): Seen {
  const at = properties.reduce(
    (last, { ModificationTimestamp: time }) => (isLater(time, last) ? String(time) : last),
    before.at,
  );
  const keys = properties
    .filter((property) => property.ModificationTimestamp === at)
    .flatMap((property) => keyOf(property) ?? []);
  return { at, keys: at === before.at ? [...new Set([...before.keys, ...keys])] : keys };
}

function restartAt({ at, keys }: Seen, begunAt: number): Seen {
  const latest = begunAt - clockToleranceMs;
  return Date.parse(at) <= latest ? { at, keys } : { at: new Date(latest).toISOString(), keys: [] };
}

/** One server writes times alike; times without a fraction are compared as times. */
function isLater(time: unknown, than: string): boolean {
  const at = typeof time === 'string' ? Date.parse(time) : NaN;
  return !Number.isNaN(at) && (than === '' || at > Date.parse(than));
}

/** Pages that begin at a time are complete only in the order of change, which the query requests. */
function isInOrder(properties: readonly Property[], from: string): boolean {
  let before = from;
  for (const { ModificationTimestamp: at } of properties) {
    if (typeof at !== 'string') continue;
    if (isLater(before, at)) return false;
    before = at;
  }
  return true;
}

/**
 * Asserts the columns of a page. A server may omit columns of a removed listing, or of one without a place, but of no
 * others.
 */
function expectProperties({ name, hasCanView }: ResoSource, properties: readonly Property[]): void {
  const columns = [['ListingKey'], ['ModificationTimestamp'], ...(hasCanView ? [['MlgCanView']] : [])];
  expectColumns({ name, rows: properties, columns });
  const viewable = properties.filter((property) => isViewable(property, hasCanView));
  expectColumns({ name, rows: viewable, columns: [['StandardStatus']] });
  const shown = properties.filter((property) => isShown(property, hasCanView));
  expectColumns({ name, rows: shown, columns: [['ListPrice']] });
  const placed = shown.filter(({ InternetAddressDisplayYN: display }) => display !== false);
  expectColumns({ name, rows: placed, columns: [['UnparsedAddress', 'StreetName']] });
}

/** Active, viewable, and displayable on the internet; a flag that is present must say yes. */
function isShown(property: Property, hasCanView: boolean): boolean {
  const { InternetEntireListingDisplayYN: display, StandardStatus: status } = property;
  const isDisplayed = display === undefined || display === true;
  return wordsOf(status) === 'active' && isViewable(property, hasCanView) && isDisplayed;
}

/** A server that has the flag says yes with each viewable listing. */
function isViewable({ MlgCanView: canView }: Property, hasCanView: boolean): boolean {
  return hasCanView ? wordsOf(canView) === 'true' : canView !== false;
}

function toRow(property: Property, index: number): RawRow | RowReject {
  const key = keyOf(property);
  return key === undefined
    ? { reject: 'missing_key', key: `Property:${index}`, detail: 'ListingKey: a key is expected.' }
    : { key, payload: property };
}

function keyOf({ ListingKey: key }: Property): string | undefined {
  return (typeof key === 'string' && key !== '') || typeof key === 'number' ? String(key) : undefined;
}

/**
 * The server's next link. The token is sent with it, so it must stay on the same server.
 *
 * @throws SourceError when it leads elsewhere
 */
function followable(link: string, from: string, { baseUrl, name }: ResoSource): string {
  const url = URL.canParse(link, from) ? new URL(link, from) : undefined;
  if (url?.origin === new URL(baseUrl).origin && url.href !== from) return url.href;
  throw new SourceError('upstream_refused', `The next page of ${name} leads to another server. It is not followed.`);
}
