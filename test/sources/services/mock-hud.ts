import type { AreaRents } from '../../../src/underwriting/rents/area-rents.js';
import { jsonReply, type MockServer } from './mock-server.js';

/** The figures of a county, and of each ZIP in it for which HUD has set some. */
export interface CountyRents {
  readonly state: string;
  readonly county: AreaRents;
  readonly zips: readonly AreaRents[];
}

export interface MockRents {
  /** The bearer token required. */
  readonly token: string;
  readonly counties: readonly CountyRents[];
}

const bedrooms = ['Efficiency', 'One-Bedroom', 'Two-Bedroom', 'Three-Bedroom', 'Four-Bedroom'];

/**
 * A mock server for HUD's Fair Market Rents API: the counties of a state, and the figures of a county, a list if set by
 * ZIP, else one object. It has one set of figures, of whichever year is asked for. Source: HUD USER FMR API.
 */
export function createMockHud({ token, counties }: MockRents): MockServer {
  return ({ url, headers }) => {
    if (headers.authorization !== `Bearer ${token}`) return jsonReply({ error: 'Unauthenticated.' }, 401);
    const [, method, name = ''] = /^\/(listCounties|data)\/(\w+)$/.exec(url.pathname) ?? [];
    if (method === 'listCounties')
      return jsonReply(
        counties.filter(({ state }) => state === name).map(({ county }) => ({ fips_code: entityOf(county) })),
      );
    const figures = counties.find(({ county }) => entityOf(county) === name);
    if (method !== 'data' || figures === undefined) return jsonReply({ error: 'There is no such area.' }, 404);
    const { county, zips } = figures;
    const year = url.searchParams.get('year');
    const toRow = ({ rents }: AreaRents) => ({
      ...Object.fromEntries(bedrooms.map((bedroom, index) => [bedroom, rents[index]])),
      year,
    });
    const basicdata =
      zips.length === 0
        ? toRow(county)
        : [
            { zip_code: 'MSA level', ...toRow(county) },
            ...zips.map((area) => ({ zip_code: area.areaCode, ...toRow(area) })),
          ];
    return jsonReply({ data: { smallarea_status: zips.length === 0 ? '0' : '1', year, basicdata } });
  };
}

/** A county's code is followed by five nines. */
function entityOf({ areaCode }: AreaRents): string {
  return `${areaCode}99999`;
}
