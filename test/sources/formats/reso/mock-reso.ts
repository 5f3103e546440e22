import { createResoSource, type ResoSource } from '../../../../src/sources/formats/reso-odata.js';
import { accessTo } from '../../access.js';
import { type MockServer, startMockServer } from '../../upstream/mock-server.js';

export type Property = Record<string, unknown>;

/** The mock server's own time. */
export const serverTime = '2026-11-22T06:00:00.000Z';

/**
 * A mock RESO Web API server with its own page size, whose next page repeats a listing. Without `links` it treats
 * `$top` as the client's limit, and returns no more.
 */
export async function startReso(properties: Property[], most = 2) {
  const state = {
    properties,
    links: true,
    ignoresTop: false,
    repeats: 1,
    isOrdered: true,
    date: serverTime,
    /** A field that the server does not have. */
    lacks: '',
    nextLink: (link: string) => link,
    afterPage: () => {},
  };
  const mockServer: MockServer = await startMockServer((request, response) => {
    const url = new URL(request.url ?? '', mockServer.url);
    if (state.date === '') response.sendDate = false;
    else response.setHeader('date', new Date(state.date).toUTCString());
    response.setHeader('content-type', 'application/json;odata.metadata=minimal');
    if (request.headers.authorization !== 'Bearer the-token') {
      response.writeHead(401).end(JSON.stringify({ error: { code: '401', message: 'Unauthorized' } }));
      return;
    }
    const fields = url.searchParams.get('$select')?.split(',') ?? [];
    if (state.lacks !== '' && fields.includes(state.lacks)) {
      response.writeHead(400).end(JSON.stringify({ error: { code: '400', message: `No property ${state.lacks}` } }));
      return;
    }
    const filter = url.searchParams.get('$filter') ?? '';
    const since = /ModificationTimestamp ge (\S+)/.exec(filter)?.[1] ?? '';
    const matching = state.properties
      .filter((each) => !filter.includes("StandardStatus eq 'Active'") || each.StandardStatus === 'Active')
      .filter((each) => !filter.includes('MlgCanView eq true') || each.MlgCanView === true)
      .filter((each) => String(each.ModificationTimestamp) >= since)
      .sort((a, b) =>
        state.isOrdered ? String(a.ModificationTimestamp).localeCompare(String(b.ModificationTimestamp)) : 0,
      );
    const start = Number(url.searchParams.get('$skip') ?? url.searchParams.get('$skiptoken') ?? 0);
    const size = state.links || state.ignoresTop ? most : Number(url.searchParams.get('$top'));
    const value = matching.slice(start, start + size);
    url.searchParams.delete('$skiptoken');
    url.searchParams.set('$skip', `${start + most - state.repeats}`);
    const more = state.links && start + most < matching.length;
    response.end(
      JSON.stringify({
        '@odata.context': `${mockServer.url}/odata/$metadata#Property`,
        value,
        ...(more ? { '@odata.nextLink': state.nextLink(url.href) } : {}),
      }),
    );
    state.afterPage();
  });
  return { ...mockServer, state };
}

/** A listing that changed at this minute. */
export const property = (key: string, minute: number, rest: Property = {}): Property => ({
  ListingKey: key,
  StandardStatus: 'Active',
  PropertyType: 'Residential Income',
  PropertySubType: 'Quadruplex',
  NumberOfUnitsTotal: 4,
  NumberOfUnitsVacant: 1,
  ListPrice: 289000,
  CapRate: 8.9,
  NetOperatingIncome: 25721,
  VacancyAllowanceRate: 5,
  OperatingExpense: 17599,
  TaxAnnualAmount: 5210,
  UnparsedAddress: '100 Example Ave, Cleveland, OH 44105',
  StreetNumber: '100',
  StreetName: 'Example',
  StreetSuffix: 'Avenue',
  City: 'Cleveland',
  StateOrProvince: 'OH',
  PostalCode: '44105',
  CountyOrParish: 'Cuyahoga',
  ParcelNumber: '131-01-001',
  ListingTerms: ['Cash', 'Owner May Carry'],
  SpecialListingConditions: ['Standard'],
  ModificationTimestamp: `2026-11-18T09:${String(minute).padStart(2, '0')}:31.120Z`,
  MlgCanView: true,
  InternetAddressDisplayYN: true,
  InternetEntireListingDisplayYN: true,
  ...rest,
});

/** Creates a new source for the mock server at each call. */
export const resoAt =
  (url: string, rest: Partial<ResoSource> = {}) =>
  () =>
    createResoSource({
      ...accessTo(`${url}/odata`),
      secret: 'the-token',
      marketplace: 'Example MLS',
      filter: "PropertyType eq 'Residential Income'",
      hasCanView: true,
      ...rest,
    });

export const keysOf = (taken: readonly { readonly sourceKey: string }[]) => taken.map(({ sourceKey }) => sourceKey);
