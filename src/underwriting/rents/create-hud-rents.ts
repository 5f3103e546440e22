import { absent, isKnown, known, type Maybe } from '../../absence.js';
import { findMetroByCounty } from '../../places/metros/metros.js';
import { fiscalYearInForce } from './fiscal-year.js';
import type { AreaKind, SourcedRents, ZipCounty } from './area-rents.js';
import type { HudRent, HudRents, Place, RentBasis } from './hud-rent.js';

/**
 * Builds a rent lookup from figures in memory. The ZIP's SAFMR comes before the county's FMR: the metro figure
 * overstates rent in the cheap ZIPs where high caps occur.
 * - The county is as stated, else the one of the ZIP.
 * - The newest fiscal year in force on the day counts, never a later one. Of several entries for one year the first
 *   counts.
 * - Absent `insufficient_inputs` when neither ZIP nor county is known, else `no_hud_rent`.
 */
export function createHudRents(rents: Iterable<SourcedRents>, zipCounties: Iterable<ZipCounty>): HudRents {
  const byZip = indexRents(rents, 'zip');
  const byCounty = indexRents(rents, 'county');
  const countyByZip = new Map(Array.from(zipCounties, ({ zip, countyFips }) => [zip, countyFips]));

  return {
    findRent(place, on) {
      const { zip } = place;
      if (!isKnown(zip) && !isKnown(place.countyFips)) return absent('insufficient_inputs');
      const year = fiscalYearInForce(on);
      const county = countyOf(place);
      const ofZip = isKnown(zip) ? newest(byZip.get(zip.value), year, 'safmr_zip') : undefined;
      const found = ofZip ?? (county === undefined ? undefined : newest(byCounty.get(county), year, 'fmr_county'));
      return found ?? absent('no_hud_rent');
    },
    // The built-in figures are those of metropolitan counties.
    isNonmetropolitan: (place) => findMetroByCounty(countyOf(place) ?? '') === undefined,
  };

  function countyOf({ zip, countyFips }: Place): string | undefined {
    if (isKnown(countyFips)) return countyFips.value;
    return isKnown(zip) ? countyByZip.get(zip.value) : undefined;
  }
}

type Index = ReadonlyMap<string, readonly SourcedRents[]>;

function indexRents(rents: Iterable<SourcedRents>, kind: AreaKind): Index {
  const index = new Map<string, SourcedRents[]>();
  for (const rent of rents) {
    if (rent.areaKind !== kind) continue;
    const years = index.get(rent.areaCode);
    if (years === undefined) index.set(rent.areaCode, [rent]);
    else years.push(rent);
  }
  for (const years of index.values()) years.sort((a, b) => b.fiscalYear - a.fiscalYear);
  return index;
}

function newest(
  years: readonly SourcedRents[] | undefined,
  inForce: number,
  basis: RentBasis,
): Maybe<HudRent> | undefined {
  const rent = years?.find(({ fiscalYear }) => fiscalYear <= inForce);
  if (rent === undefined) return undefined;
  const { fiscalYear, rents, source } = rent;
  const byBedrooms = rents.map(String);
  const found = { rent2br: String(rents[2]), byBedrooms, basis, fiscalYear, stale: fiscalYear < inForce };
  return known(source === undefined ? found : { ...found, source });
}
