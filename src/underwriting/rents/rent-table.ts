import { createHash } from 'node:crypto';
import type { AreaKind, BedroomRents } from './area-rents.js';

/** The first line of a table of rents, which says where its figures are from. */
export interface RentTableHeader {
  /** `safmr`: by ZIP, in tens of dollars. `fmr`: by county, in dollars. */
  readonly table: 'safmr' | 'fmr';
  readonly fiscal_year: number;
  readonly publisher: string;
  /** HUD's files, by name. */
  readonly file: string;
  /** The day from which the figures are in force. */
  readonly effective: string;
  /** The day on which HUD published them; of two tables of one year the later counts. */
  readonly published: string;
  readonly rows: number;
  /** False where the table holds only some of the places that HUD publishes. */
  readonly complete: boolean;
  /** Of all that follows the first line. */
  readonly sha256: string;
}

/** The rents of one ZIP or county in one or several of HUD's areas. */
export interface RentRow {
  /** Five digits: a ZIP, or a county's FIPS code. */
  readonly code: string;
  readonly rents: BedroomRents;
  /** HUD's codes of the areas. Of a county with several, `rents` are its lowest. Empty where they are not known. */
  readonly areas: readonly string[];
  /** For a county: whether HUD counts it as metropolitan. */
  readonly isMetropolitan?: boolean | undefined;
}

/** HUD's rents of one kind and fiscal year. */
export interface RentTable {
  readonly header: RentTableHeader;
  /** The rows of a ZIP or county: several where a ZIP lies in areas of different rents. */
  find(code: string): readonly RentRow[];
  /** All rows, by code. */
  list(): Iterable<RentRow>;
}

const publisher = 'US Department of Housing and Urban Development';
const kinds: Readonly<Record<RentTableHeader['table'], { readonly kind: AreaKind; readonly unit: number }>> = {
  safmr: { kind: 'zip', unit: 10 },
  fmr: { kind: 'county', unit: 1 },
};

/** What a table has rents of: ZIPs or counties. */
export function kindOf({ table }: Pick<RentTableHeader, 'table'>): AreaKind {
  return kinds[table].kind;
}

/** The area of a county that HUD counts as an area of its own. */
export function areaOfCounty(countyFips: string): string {
  return `NCNTY${countyFips}N${countyFips}`;
}

/**
 * Writes a table: a header in JSON, then a line per row, by code: `zip r0 r1 r2 r3 r4 [area...]`, or `fips M|N r0 r1 r2
 * r3 r4 [area...]`, M for metropolitan. A county that is its own area is written without it.
 */
export function writeRentTable(
  header: Omit<RentTableHeader, 'publisher' | 'rows' | 'sha256'>,
  rows: readonly RentRow[],
): string {
  const { unit } = kinds[header.table];
  const lines = rows.map(({ code, rents, areas, isMetropolitan }) =>
    [
      code,
      ...(isMetropolitan === undefined ? [] : [isMetropolitan ? 'M' : 'N']),
      ...rents.map((rent) => rent / unit),
      ...areas.filter((area) => areas.length > 1 || area !== areaOfCounty(code)),
    ].join(' '),
  );
  const body = lines
    .sort()
    .map((line) => `${line}\n`)
    .join('');
  const { table, fiscal_year, file, effective, published, complete } = header;
  const sha256 = createHash('sha256').update(body).digest('hex');
  const first = { table, fiscal_year, publisher, file, effective, published, rows: rows.length, complete, sha256 };
  return `${JSON.stringify(first)}\n${body}`;
}

const [lineEnd, space, zero, metropolitan] = [...Buffer.from('\n 0M')] as [number, number, number, number];

/** Reads a table that `writeRentTable` wrote into typed arrays: a year of all ZIPs takes half a megabyte. */
export function readRentTable(text: Buffer): RentTable {
  let at = text.indexOf(lineEnd) + 1;
  const header = JSON.parse(text.toString('latin1', 0, at)) as RentTableHeader;
  const { kind, unit } = kinds[header.table];
  const codes = new Uint32Array(header.rows);
  const rents = new Uint16Array(header.rows * 5);
  const isMetropolitan = new Uint8Array(kind === 'county' ? header.rows : 0);
  const areas = new Map<number, readonly string[]>();
  for (let row = 0; row < header.rows; row++) {
    codes[row] = readNumber();
    if (kind === 'county') {
      isMetropolitan[row] = Number(text[at] === metropolitan);
      at += 2;
    }
    for (let bedrooms = 0; bedrooms < 5; bedrooms++) rents[row * 5 + bedrooms] = readNumber();
    if (text[at - 1] !== space) continue;
    const end = text.indexOf(lineEnd, at);
    areas.set(row, text.toString('latin1', at, end).split(' '));
    at = end + 1;
  }

  /** Reads a number and the byte behind it. */
  function readNumber(): number {
    let number = 0;
    for (let byte = text[at++] ?? 0; byte >= zero; byte = text[at++] ?? 0) number = number * 10 + byte - zero;
    return number;
  }

  function readRow(row: number): RentRow {
    const code = String(codes[row]).padStart(5, '0');
    const [r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0] = rents.subarray(row * 5, row * 5 + 5);
    const isCounty = kind === 'county';
    return {
      code,
      rents: [r0 * unit, r1 * unit, r2 * unit, r3 * unit, r4 * unit],
      areas: areas.get(row) ?? (isCounty ? [areaOfCounty(code)] : []),
      isMetropolitan: isCounty ? isMetropolitan[row] === 1 : undefined,
    };
  }

  return {
    header,
    find(code) {
      const wanted = Number(code);
      let [low, high] = [0, header.rows];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((codes[middle] ?? 0) < wanted) low = middle + 1;
        else high = middle;
      }
      const found: RentRow[] = [];
      while (codes[low] === wanted) found.push(readRow(low++));
      return found;
    },
    *list() {
      for (let row = 0; row < header.rows; row++) yield readRow(row);
    },
  };
}
