import type { AreaKind, AreaRents, BedroomRents } from '../../../underwriting/rents/area-rents.js';
import { isKnown } from '../../../absence.js';
import type { RawRow, RowReject } from '../../source.js';
import { isObject } from '../../upstream/get-json.js';
import { parseCount, parseMoney } from '../../values/figures.js';
import { textOf } from '../../values/text.js';

/** One area's figures as HUD writes them. The key is code and year, not the name, since HUD renames areas. */
export interface AreaRow {
  readonly areaKind: AreaKind;
  readonly areaCode: string;
  readonly fiscalYear: unknown;
  /** See `AreaRents`. */
  readonly area: string;
  /** For 0, 1, 2, 3 and 4 bedrooms. */
  readonly rents: readonly unknown[];
}

/** A row with its key: kind, code, year, and the area where there are several. */
export function toAreaRow(row: AreaRow): RawRow {
  return {
    key: [row.areaKind, row.areaCode, String(row.fiscalYear), row.area].filter(Boolean).join(':'),
    payload: row,
  };
}

/** Normalizes one area's figures, or rejects them: each of the five must be a rent. Pure. */
export function parseAreaRow({ key, payload }: RawRow): AreaRents | RowReject {
  if (!isAreaRow(payload)) return { reject: 'row_unreadable', key, detail: 'The row has no figures of an area.' };
  const { areaKind, areaCode, area } = payload;
  if (!/^\d{5}$/.test(areaCode)) return { reject: 'missing_key', key, detail: 'area: five digits are expected.' };
  const year = textOf(payload.fiscalYear);
  const fiscalYear = isKnown(year) ? parseCount(year.value, 2000, 2100) : year;
  if (!isKnown(fiscalYear)) return { reject: 'invalid_value', key, detail: 'year: a fiscal year is expected.' };
  const rents = payload.rents.flatMap((rent) => readRent(rent) ?? []);
  return isComplete(rents)
    ? { areaKind, areaCode, fiscalYear: fiscalYear.value, area, rents }
    : { reject: 'invalid_value', key, detail: 'rents: five whole amounts from 50 to 50,000 USD are expected.' };
}

/** Keeps, per key, the row with the lowest two-bedroom rent: a ZIP may have several in the towns of its county. */
export function keepLowest(rows: readonly RawRow[]): readonly RawRow[] {
  const lowest = new Map<string, RawRow>();
  for (const row of rows) {
    const kept = lowest.get(row.key);
    if (kept === undefined || twoBedroomOf(row) < twoBedroomOf(kept)) lowest.set(row.key, row);
  }
  return [...lowest.values()];
}

function twoBedroomOf({ payload }: RawRow): number {
  return (isAreaRow(payload) ? readRent(payload.rents[2]) : undefined) ?? Infinity;
}

function readRent(value: unknown): number | undefined {
  const text = textOf(value);
  const amount = isKnown(text) ? parseMoney(text.value, { min: '50', max: '50000' }) : text;
  return isKnown(amount) && /^\d+$/.test(amount.value) ? Number(amount.value) : undefined;
}

function isComplete(rents: readonly number[]): rents is BedroomRents {
  return rents.length === 5;
}

function isAreaRow(payload: unknown): payload is AreaRow {
  return (
    isObject(payload) &&
    typeof payload.areaCode === 'string' &&
    typeof payload.area === 'string' &&
    Array.isArray(payload.rents)
  );
}
