import { expectColumns } from './expect-columns.js';
import { parseListingRow } from './parse-listing-row.js';
import { listingMapping, propertyFields, toListingColumns, wordsOf } from './reso/listing-columns.js';
import { expectPast, readWatermark, type Seen } from './reso/watermark.js';
import { accessOf, type SourceAccess } from '../source-access.js';
import { SourceError } from '../source-error.js';
import type { ListingSource, RawRow, RowReject, SourcePage } from '../source.js';
import { expectList, expectObject, getJson, isObject } from '../upstream/get-json.js';

const pageRows = 200;

export interface ResoSource extends SourceAccess {
  /** Name of the listing service, shown with each deal. */
  readonly marketplace: string;
  /**
   * OData condition that narrows what is read, such as the property types and the originating system; `undefined` for
   * all.
   */
  readonly filter: string | undefined;
  /** True where the server knows `MlgCanView`, by which it tells which listings may still be shown. */
  readonly hasCanView: boolean;
}

type Property = Readonly<Record<string, unknown>>;

/** Where the next page begins. */
interface Place extends Seen {
  /**
   * When the run began, by the server's clock where it tells the time, epoch milliseconds; undefined before the first
   * page.
   */
  readonly begunAt?: number;
  /** The server's own link; undefined: the page begins at the latest moment seen so far. */
  readonly link?: string;
}

/**
 * What changed while a run was under way may have been passed by, so the next run starts at the run's beginning at the
 * latest; so far before it, since a reply may be older than its date, and a server may not tell the time.
 */
const clockToleranceMs = 5 * 60_000;

/**
 * A RESO Web API server as a source of listings. The first load asks only for what is active and may be shown; a later
 * one starts at the moment of the last change and asks for every change since, so that what was sold or taken back
 * arrives as `removedKeys`. Only active listings that may be displayed are rows; a withheld street address is withheld
 * here too. Pages follow `@odata.nextLink`, which must stay on the same server. A link that counts listings is not
 * trusted, since one that changes meanwhile moves to the end and pushes another out of sight: like after a full page
 * without a link, the next page begins at the latest moment of this one, repeats are dropped, and a server that does
 * not keep the order of change fails the run. Source: RESO Web API Core 2.0, Data Dictionary 2.0.
 */
export function createResoSource(source: ResoSource): ListingSource {
  const { name, licence, marketplace, hasCanView, upstream, now } = source;

  async function fetchPage(cursor: string | undefined, watermark?: string): Promise<SourcePage> {
    const since = watermark === undefined ? undefined : readWatermark(watermark);
    const place: Place = cursor === undefined ? (since ?? { at: '', keys: [] }) : (JSON.parse(cursor) as Place);
    const credentials = { authorization: `Bearer ${source.secret ?? ''}` };
    const url =
      place.link === undefined
        ? pageUrl(source, place.at, since === undefined)
        : followable(place.link, source.baseUrl, source);
    const askedAt = now().getTime();
    const reply = await getJson(upstream, { ...accessOf(source), url, credentials });
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

  /** Within a moment that a page does not hold, only the server knows what comes next. */
  function placeAfter(properties: readonly Property[], seen: Seen, place: Place, link: string | undefined): Place {
    const isSameMoment = seen.at === place.at;
    if (link !== undefined && (isSameMoment || !new URL(link).searchParams.has('$skip'))) return { ...seen, link };
    if (isSameMoment)
      throw new SourceError(
        'delivery_unreadable',
        `More listings of ${name} changed at one moment than a page holds, and its server links no next page.`,
      );
    if (!isInOrder(properties, place.at))
      throw new SourceError(
        'delivery_unreadable',
        `The server of ${name} does not give the listings in the order of change. They cannot be read completely.`,
      );
    return seen;
  }

  return {
    name,
    kind: 'reso-odata',
    delivers: 'listings',
    licence,
    tellsChanges: true,
    expectSince: (text) => expectPast(text, now()),
    fetchPage,
    parse({ key, payload }) {
      if (!isObject(payload)) return { reject: 'row_unreadable', key, detail: 'The row is not an object of fields.' };
      // A server that publishes the flag says yes or no with it; one that does not know it has no say.
      const { addressDisplay, ...unflagged } = listingMapping;
      const isFlagged = addressDisplay !== undefined && Object.hasOwn(payload, 'InternetAddressDisplayYN');
      const mapping = { marketplace, mapping: isFlagged ? listingMapping : unflagged, values: undefined };
      return parseListingRow(toListingColumns(payload), key, mapping, now().getUTCFullYear());
    },
  };
}

/** What changed from a moment on; of a whole load only what is active and may be shown. */
function pageUrl({ baseUrl, filter, hasCanView }: ResoSource, at: string, isWhole: boolean): string {
  const conditions = [
    ...(filter === undefined ? [] : [`(${filter})`]),
    ...(isWhole ? ["StandardStatus eq 'Active'", ...(hasCanView ? ['MlgCanView eq true'] : [])] : []),
    ...(at === '' ? [] : [`ModificationTimestamp ge ${at}`]),
  ];
  const parameters = {
    $filter: conditions.join(' and '),
    $select: [...propertyFields, ...(hasCanView ? ['MlgCanView'] : [])].join(','),
    $expand: 'UnitTypes',
    $top: `${pageRows}`,
    $orderby: 'ModificationTimestamp',
  };
  // OData wants %20 for a blank; the `+` of forms is a plus there.
  const query = Object.entries(parameters).map(([option, value]) => `${option}=${encodeURIComponent(value)}`);
  return `${baseUrl}/Property?${query.join('&')}`;
}

/** Each listing once, as it changed last; what the page or run before ended with, unchanged, is left out. */
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

/** Times of one server are written alike; those without a fraction are compared as times. */
function isLater(time: unknown, than: string): boolean {
  const at = typeof time === 'string' ? Date.parse(time) : NaN;
  return !Number.isNaN(at) && (than === '' || at > Date.parse(than));
}

/** Pages that begin at a moment show everything only where they stand in the order of change, as it is asked for. */
function isInOrder(properties: readonly Property[], from: string): boolean {
  let before = from;
  for (const { ModificationTimestamp: at } of properties) {
    if (typeof at !== 'string') continue;
    if (isLater(before, at)) return false;
    before = at;
  }
  return true;
}

/** A server may say little of what is taken back, or shown without its place; of the rest it says all of this. */
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

/** Active, may be viewed, and may be displayed on the internet: a flag that is there must say yes. */
function isShown(property: Property, hasCanView: boolean): boolean {
  const { InternetEntireListingDisplayYN: display, StandardStatus: status } = property;
  const isDisplayed = display === undefined || display === true;
  return wordsOf(status) === 'active' && isViewable(property, hasCanView) && isDisplayed;
}

/** A server that knows the flag says yes with each listing that may be viewed. */
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

/** The server's own link to the next page. The token goes with it, so it may not lead anywhere else. */
function followable(link: string, from: string, { baseUrl, name }: ResoSource): string {
  const url = URL.canParse(link, from) ? new URL(link, from) : undefined;
  if (url?.origin === new URL(baseUrl).origin && url.href !== from) return url.href;
  throw new SourceError('upstream_refused', `The next page of ${name} leads to another server. It is not followed.`);
}
