import type { AreaKind, BedroomRents } from './area-rents.js';
import type { RentRow } from './rent-table.js';

/** A line of HUD's files, as read; `place` names it: "fy2027_safmrs.xlsx, row 12". */
export interface ReadLine {
  readonly place: string;
  readonly code: string;
  readonly area: string;
  readonly isMetropolitan: boolean | undefined;
  readonly rents: readonly string[];
}

/** The rows of a table, and what is wrong with the lines, by file and row. */
export interface BuiltRows {
  readonly rows: readonly RentRow[];
  readonly faults: readonly string[];
}

/**
 * Makes the rows of a table from HUD's lines.
 * - A ZIP of several areas with equal rents is one row, else a row per area.
 * - A county of several rents, as in New England, has those of the area with the lowest two-bedroom rent; the row names
 *   all areas.
 *
 * Rents must be whole dollars that do not fall with the bedrooms, and of a ZIP multiples of 10, as HUD publishes them.
 */
export function buildRentRows(kind: AreaKind, lines: readonly ReadLine[]): BuiltRows {
  const faults: string[] = [];
  const byCode = new Map<string, RentRow[]>();
  for (const { place, code, area, isMetropolitan, rents: texts } of lines) {
    const rents = texts.map(Number);
    const fault = faultOf(kind, code, texts, rents);
    if (fault !== undefined) {
      faults.push(`${place}: ${fault}`);
      continue;
    }
    const row = { code, rents: rents as unknown as BedroomRents, areas: area === '' ? [] : [area], isMetropolitan };
    const others = byCode.get(code);
    if (others === undefined) byCode.set(code, [row]);
    else others.push(row);
  }
  const merge = kind === 'zip' ? mergeZip : mergeCounty;
  return { rows: [...byCode.values()].flatMap(merge), faults };
}

function faultOf(kind: AreaKind, code: string, texts: readonly string[], rents: readonly number[]): string | undefined {
  if (!/^\d{5}$/.test(code)) return 'a code of five digits is expected';
  if (texts.length !== 5 || texts.some((text) => !/^\d{2,5}$/.test(text)))
    return `five rents in whole dollars are expected, not ${texts.join(' ')}`;
  if (rents.some((rent, bedrooms) => rent < (rents[bedrooms - 1] ?? 0)))
    return `the rents ${texts.join(' ')} fall with more bedrooms`;
  if (kind === 'zip' && rents.some((rent) => rent % 10 !== 0))
    return `the rents ${texts.join(' ')} of a ZIP are no multiples of 10`;
  return undefined;
}

/** One row for all areas of equal rents. Their codes are kept where there are several areas. */
function mergeZip(rows: readonly RentRow[]): RentRow[] {
  const byRents = new Map<string, RentRow>();
  for (const row of rows) {
    const key = row.rents.join();
    const same = byRents.get(key);
    byRents.set(key, { ...row, areas: unite(same, row) });
  }
  const merged = [...byRents.values()];
  const [only, ...others] = merged;
  return only !== undefined && others.length === 0 && only.areas.length < 2 ? [{ ...only, areas: [] }] : merged;
}

function mergeCounty(rows: readonly RentRow[]): RentRow[] {
  const [lowest] = [...rows].sort((one, other) => compareRents(one.rents, other.rents));
  if (lowest === undefined) return [];
  const isMetropolitan = rows.every((row) => row.isMetropolitan === true);
  return [
    { ...lowest, areas: rows.reduce<readonly string[]>((areas, row) => unite({ areas }, row), []), isMetropolitan },
  ];
}

function unite(one: Pick<RentRow, 'areas'> | undefined, other: RentRow): readonly string[] {
  return [...new Set([...(one?.areas ?? []), ...other.areas])].sort();
}

/** By two bedrooms first, which are published. */
export function compareRents(one: BedroomRents, other: BedroomRents): number {
  for (const bedrooms of [2, 1, 3, 0, 4] as const) {
    const difference = one[bedrooms] - other[bedrooms];
    if (difference !== 0) return difference;
  }
  return 0;
}
