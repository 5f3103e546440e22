import { absent, isKnown, known, type Maybe, valueOf } from '../../absence.js';
import { findCounties } from '../../places/metros/county-label.js';
import { findCountyOfZip, isMilitaryZip, isNearCounty } from '../../places/metros/zip-counties.js';
import type { AreaKind, SourcedRents } from './area-rents.js';
import { compareRents } from './build-rent-rows.js';
import { fiscalYearInForce } from './fiscal-year.js';
import type { HudRent, HudRents, PlaceFigures, RentPlace } from './rent-types.js';
import { kindOf, type RentRow, type RentTable } from './rent-table.js';

/** Older figures of a ZIP do not count. */
const oldestZipYears = 2;
/** Places whose figures are kept at hand: most listings lie where others do. */
const mostRemembered = 2_000;

/**
 * Builds the lookup of rents from figures in memory. The ZIP's rent comes before the county's, which overstates it in
 * the cheap ZIPs where high caps occur. Of one year, a source's figures come before those of tables, and a table
 * published later before an earlier one. Source of the rule: docs/decisions/rents.md.
 *
 * @param delivered of several sources of one area and year, the first counts
 */
export function createHudRents(tables: readonly RentTable[], delivered: Iterable<SourcedRents> = []): HudRents {
  const find = createFind(tables, delivered);
  const foundBefore = new Map<string, PlaceFigures>();

  return {
    at(place, on) {
      const inForce = fiscalYearInForce(on);
      const key = [place.state, valueOf(place.zip), valueOf(place.county), place.city === '', inForce].join('\n');
      const figures = foundBefore.get(key) ?? findAt(place, inForce);
      if (foundBefore.size >= mostRemembered) foundBefore.clear();
      foundBefore.set(key, figures);
      return figures;
    },
  };

  function findAt(place: RentPlace, inForce: number): PlaceFigures {
    const counties = countiesOf(place);
    return {
      rent: findRent(place, counties, inForce),
      nonmetropolitan: isNonmetropolitan(counties.codes),
      isZipElsewhere: isZipElsewhere(place, counties),
    };
  }

  function findRent(place: RentPlace, { codes, isStated }: Counties, inForce: number): Maybe<HudRent> {
    const { zip } = place;
    const found =
      (isKnown(zip) ? findByZip(zip.value, isStated ? codes : [], inForce) : undefined) ?? findByCounty(codes, inForce);
    return found === undefined ? absent(reasonOf(place)) : known(found);
  }

  function isNonmetropolitan(codes: readonly string[]): boolean {
    return codes.length === 0 || codes.some((code) => find.newestCounty(code)?.isMetropolitan !== true);
  }

  function isZipElsewhere({ zip }: RentPlace, { codes, isStated }: Counties): boolean {
    if (!isStated || !isKnown(zip)) return false;
    const ofZip = areasOf(findCountyOfZip(zip.value));
    if (ofZip.length === 0) return false;
    return codes.every((code) => {
      const areas = areasOf(code);
      return areas.length > 0 && !areas.some((area) => ofZip.includes(area)) && !isNearCounty(zip.value, code);
    });
  }

  function areasOf(code: string | undefined): readonly string[] {
    return code === undefined ? [] : (find.newestCounty(code)?.areas ?? []);
  }

  function findByZip(zip: string, statedCounties: readonly string[], inForce: number): HudRent | undefined {
    for (let year = inForce; year >= inForce - oldestZipYears; year--) {
      const figures = find.figures('zip', zip, year);
      const areas = new Set(statedCounties.flatMap((code) => [code, ...(find.newestCounty(code)?.areas ?? [])]));
      const ofCounty = figures.filter((figure) => figure.areas.some((area) => areas.has(area)));
      const rent = lowestOf(ofCounty.length > 0 ? ofCounty : figures, 'safmr_zip', inForce);
      if (rent !== undefined) return rent;
    }
    return undefined;
  }

  function findByCounty(codes: readonly string[], inForce: number): HudRent | undefined {
    for (const year of find.countyYears) {
      if (year > inForce) continue;
      const rent = lowestOf(
        codes.flatMap((code) => find.figures('county', code, year)),
        'fmr_county',
        inForce,
      );
      if (rent !== undefined) return rent;
    }
    return undefined;
  }
}

/** The counties that a place may lie in, by FIPS code. */
interface Counties {
  readonly codes: readonly string[];
  /** False where the ZIP tells. */
  readonly isStated: boolean;
}

/** As stated, by name or FIPS code, else by the ZIP. */
function countiesOf({ state, county, zip }: RentPlace): Counties {
  const stated = isKnown(county) ? findCounties(county.value, state).map(({ countyFips }) => countyFips) : [];
  if (stated.length > 0) return { codes: stated, isStated: true };
  const byZip = isKnown(zip) ? findCountyOfZip(zip.value) : undefined;
  return { codes: byZip === undefined ? [] : [byZip], isStated: false };
}

/** HUD publishes a rent for every place but military post offices. */
function reasonOf({ city, zip, county }: RentPlace) {
  if (isKnown(zip) && isMilitaryZip(zip.value)) return 'no_hud_rent';
  return city === '' && !isKnown(zip) && !isKnown(county) ? 'insufficient_inputs' : 'not_collected';
}

/** The rents of an area in one year, with their basis. */
interface Figure extends Pick<RentRow, 'rents' | 'areas'> {
  readonly fiscalYear: number;
  /** True when `rents` are the lowest of several. */
  readonly isLowest: boolean;
  readonly published?: string;
  readonly source?: string | undefined;
}

function createFind(tables: readonly RentTable[], delivered: Iterable<SourcedRents>) {
  const newestFirst = [...tables].sort(({ header: one }, { header: other }) =>
    one.fiscal_year === other.fiscal_year
      ? other.published.localeCompare(one.published)
      : other.fiscal_year - one.fiscal_year,
  );
  const ofKind = (kind: AreaKind) => newestFirst.filter(({ header }) => kindOf(header) === kind);
  const byKind = { zip: ofKind('zip'), county: ofKind('county') };
  const bySource = indexDelivered(delivered);
  const countyYears = new Set(
    [...byKind.county.map(({ header }) => header.fiscal_year), ...bySource.years].sort((one, other) => other - one),
  );

  return {
    /** The years of counties' figures, the newest first. */
    countyYears,
    figures(kind: AreaKind, code: string, year: number): readonly Figure[] {
      const own = bySource.figures.get(keyOf(kind, code, year));
      if (own !== undefined) return own;
      for (const { header, find } of byKind[kind]) {
        if (header.fiscal_year !== year) continue;
        const rows = findRows(find, kind, code);
        if (rows.length > 0)
          return rows.map(({ rents, areas }) => ({
            ...{ rents, areas, fiscalYear: year, published: header.published },
            isLowest: kind === 'county' && areas.length > 1,
          }));
      }
      return [];
    },
    /** The row of the newest table that has the county. */
    newestCounty(code: string): RentRow | undefined {
      for (const { find } of byKind.county) {
        const [row] = findRows(find, 'county', code);
        if (row !== undefined) return row;
      }
      return undefined;
    },
  };
}

/** HUD has one figure for each of two territories, under a code that no county has: 60999, 69999. */
function findRows(find: RentTable['find'], kind: AreaKind, code: string): readonly RentRow[] {
  const rows = find(code);
  return rows.length === 0 && kind === 'county' ? find(`${code.slice(0, 2)}999`) : rows;
}

function indexDelivered(delivered: Iterable<SourcedRents>) {
  const figures = new Map<string, Figure[]>();
  const years = new Set<number>();
  for (const { areaKind, areaCode, fiscalYear, area, rents, source } of delivered) {
    const key = keyOf(areaKind, areaCode, fiscalYear);
    const figure = { rents, areas: [area], fiscalYear, isLowest: false, source };
    const others = figures.get(key);
    if (others === undefined) figures.set(key, [figure]);
    else if (others[0]?.source === source) others.push(figure);
    if (areaKind === 'county') years.add(fiscalYear);
  }
  return { figures, years };
}

function keyOf(kind: AreaKind, code: string, year: number): string {
  return `${kind} ${code} ${year}`;
}

/** The only figure, or the lowest of several different ones. */
function lowestOf(figures: readonly Figure[], basis: 'safmr_zip' | 'fmr_county', inForce: number): HudRent | undefined {
  const [lowest, ...others] = [...figures].sort((one, other) => compareRents(one.rents, other.rents));
  if (lowest === undefined) return undefined;
  const isLowest = lowest.isLowest || others.some((other) => compareRents(lowest.rents, other.rents) !== 0);
  const { rents, fiscalYear, published, source } = lowest;
  return {
    ...{ rent2br: String(rents[2]), byBedrooms: rents.map(String), fiscalYear, stale: fiscalYear < inForce },
    basis: isLowest ? (`${basis}_lowest` as const) : basis,
    ...(published === undefined ? {} : { published }),
    ...(source === undefined ? {} : { source }),
  };
}
