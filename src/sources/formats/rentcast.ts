import type { MappableField } from './listing-fields.js';
import { expectColumns } from './expect-columns.js';
import { parseListingRow } from './parse-listing-row.js';
import { accessOf, type SourceAccess } from '../source-access.js';
import { SourceError } from '../source-error.js';
import type { PagedSource, RawRow, RowReject } from '../source.js';
import { expectList, getJson, isObject } from '../upstream/get-json.js';

const pageRows = 500;

export interface RentcastSource extends SourceAccess {
  /** Shown for deals without the name of a listing service. */
  readonly marketplace: string;
  /** The cities to request, in order. */
  readonly places: readonly { readonly city: string; readonly state: string }[];
}

/** The city, the number of its listings on previous pages, and the id of the last one. */
interface Place {
  readonly place: number;
  readonly offset: number;
  readonly last?: string;
}

/**
 * RentCast's sale listings as a source. It publishes no units, income, cap rate or listing URL: these are
 * `not_published_by_source`, and nothing is guessed from bedrooms. A city without listings returns 404. Source:
 * RentCast API v1, `/listings/sale`.
 *
 * Each page of a city begins with the last listing of the previous page. If it does not, listings moved and one may
 * have been missed, so the run fails.
 */
export function createRentcastSource(source: RentcastSource): PagedSource<'listings'> {
  const { name, licence, places, upstream, now } = source;
  const url = `${source.baseUrl}/v1/listings/sale`;

  return {
    name,
    kind: 'rentcast',
    delivers: 'listings',
    licence,
    async fetchPage(cursor) {
      const start: Place = cursor === undefined ? { place: 0, offset: 0 } : (JSON.parse(cursor) as Place);
      const { place, offset, last } = start;
      const repeated = last === undefined ? 0 : 1;
      const { city, state } = places[place] ?? { city: '', state: '' };
      const parameters = new URLSearchParams({
        city,
        state,
        propertyType: 'Multi-Family',
        status: 'Active',
        limit: `${pageRows}`,
        offset: `${offset - repeated}`,
      });
      const reply = await getJson(upstream, {
        ...accessOf(source),
        url: `${url}?${parameters.toString()}`,
        credentials: { 'x-api-key': source.secret ?? '' },
        expects: [404],
      });
      const listings =
        reply.status === 404 ? expectNone(reply.body, name) : expectList(reply.body, `The page of ${name}`);
      expectColumns({ name, rows: listings.filter(isObject), columns: required });
      if (last !== undefined && idOf(listings[0]) !== last) throw changed(name);
      const next: Place | undefined =
        listings.length === pageRows
          ? { place, offset: offset - repeated + pageRows, last: idOf(listings.at(-1)) }
          : place + 1 < places.length
            ? { place: place + 1, offset: 0 }
            : undefined;
      return {
        rows: listings
          .slice(repeated)
          .filter(isActive)
          .map((listing, index) => toRow(listing, `${city}, ${state}:${offset + index}`)),
        nextCursor: next === undefined ? undefined : JSON.stringify(next),
        fetchedAt: now(),
        sourceUrl: url,
      };
    },
    parse({ key, payload }, note) {
      if (!isObject(payload)) return { reject: 'row_unreadable', key, detail: 'The row is not an object of fields.' };
      const { mlsName, addressLine1, addressLine2, listingType } = payload;
      const row = {
        ...payload,
        street: [addressLine1, addressLine2].filter((line) => typeof line === 'string' && line !== '').join(' '),
        saleCondition: saleConditions[String(listingType)] ?? listingType,
      };
      const marketplace =
        typeof mlsName === 'string' && /^[^\p{C}]{1,120}$/u.test(mlsName) ? mlsName : source.marketplace;
      return parseListingRow(row, key, { marketplace, mapping, values: undefined }, now().getUTCFullYear(), note);
    },
  };
}

/** Fields of every listing; without a status none would count as active. */
const required = [['id'], ['status'], ['addressLine1'], ['price']];

const mapping: Readonly<Partial<Record<MappableField, string>>> = {
  sourceKey: 'id',
  address: 'street',
  city: 'city',
  state: 'state',
  zip: 'zipCode',
  county: 'county',
  latitude: 'latitude',
  longitude: 'longitude',
  listPrice: 'price',
  yearBuilt: 'yearBuilt',
  saleCondition: 'saleCondition',
};

const saleConditions: Readonly<Record<string, string>> = {
  Standard: 'standard',
  'New Construction': 'standard',
  Foreclosure: 'bank_owned',
  'Short Sale': 'short_sale',
};

/** A 404 with JSON means that there are no listings; without JSON the URL is wrong. */
function expectNone(body: unknown, name: string): readonly unknown[] {
  if (isObject(body) || Array.isArray(body)) return [];
  throw new SourceError('upstream_refused', `The address of ${name} is not RentCast's. Correct the configuration.`);
}

function idOf(listing: unknown): string {
  return isObject(listing) ? String(listing.id) : '';
}

function changed(name: string): SourceError {
  return new SourceError(
    'delivery_changed',
    `The listings of ${name} changed while they were being read. Nothing is retired; the next run reads them whole.`,
  );
}

function isActive(listing: unknown): boolean {
  return !isObject(listing) || listing.status === 'Active';
}

function toRow(listing: unknown, place: string): RawRow | RowReject {
  if (!isObject(listing))
    return { reject: 'row_unreadable', key: place, detail: 'The row is not an object of fields.' };
  const { id } = listing;
  return typeof id === 'string' && id !== ''
    ? { key: id, payload: listing }
    : { reject: 'missing_key', key: place, detail: 'id: a key is expected.' };
}
