import { unzipSync } from 'fflate';
import { parse } from 'csv-parse/sync';
import type { AreaKind } from '../../../underwriting/rents/area-rents.js';
import { unreadable } from '../../source-error.js';
import { isWorkbook, readWorkbook } from './read-workbook.js';

/** One of HUD's yearly files of rents, as read: no figure is judged yet. */
export interface RentFile {
  /** Small Area FMRs by ZIP, or FMRs by county. */
  readonly kind: AreaKind;
  /** As the file says it: in a column, a header, or its name. */
  readonly fiscalYear: number | undefined;
  /** The day on which a workbook was saved last. */
  readonly savedOn: string | undefined;
  readonly lines: readonly RentLine[];
}

export interface RentLine {
  /** Line number in the file; the header is line 1. */
  readonly number: number;
  /** A ZIP, or the FIPS code of a county or of a town's county. */
  readonly code: string;
  /** HUD's code of the area; empty where the file has none. */
  readonly area: string;
  /** Undefined of a ZIP. */
  readonly isMetropolitan: boolean | undefined;
  /** For 0, 1, 2, 3 and 4 bedrooms. */
  readonly rents: readonly string[];
}

export const maxRentFileBytes = 64 * 1024 * 1024;

/** Normalized column headers of HUD's yearly workbooks; `N` is the number of bedrooms. */
const headers = {
  zip: ['zip code', 'zip', 'zipcode'],
  fips: ['fips', 'fips2010', 'fips code'],
  area: ['hud area code', 'area code'],
  metro: ['metro'],
  year: ['fiscal year', 'year'],
  state: ['stusps', 'state alpha'],
  county: ['countyname', 'county name'],
  town: ['county town name'],
  rent: ['safmr N', 'safmr Nbr', 'fmr N', 'fmr Nbr', 'fmrN', 'safmrN'],
};

/**
 * Reads HUD's workbook (.xlsx), unchanged or saved as CSV. Columns are found by their headers, which vary from year to
 * year. Leading zeros that a spreadsheet removed from codes are restored.
 *
 * @throws SourceError when it is neither, or lacks a code or a rent
 */
export async function readRentFile(bytes: Buffer, name: string): Promise<RentFile> {
  const isBook = isWorkbook(bytes);
  const [head = [], ...lines] = isBook ? await readWorkbook(bytes, name, maxRentFileBytes) : parseCsv(bytes, name);
  const labels = head.map(labelOf);
  const find = (wanted: readonly string[]) => labels.findIndex((label) => wanted.includes(label));
  const [zip, fips, area, metro, year] = [headers.zip, headers.fips, headers.area, headers.metro, headers.year].map(
    find,
  ) as [number, number, number, number, number];
  const rents = [0, 1, 2, 3, 4].map((count) => find(headers.rent.map((header) => header.replace('N', `${count}`))));
  if ((zip === -1 && fips === -1) || rents.includes(-1)) throw unknownHeaders(name);
  const countyOf =
    zip === -1 ? createCountyOf(lines, fips, [headers.state, headers.county, headers.town].map(find)) : undefined;
  return {
    kind: zip === -1 ? 'county' : 'zip',
    fiscalYear: yearOf(lines[0]?.[year] ?? '', head, name),
    savedOn: isBook ? savedOn(bytes) : undefined,
    lines: lines.map((line, index) => ({
      number: index + 2,
      code: countyOf === undefined ? withZeros(line[zip], 3, 5) : countyOf(line),
      area: line[area]?.trim() ?? '',
      isMetropolitan: countyOf && (metro === -1 ? line[area]?.startsWith('METRO') === true : line[metro] === '1'),
      rents: rents.map((column) => amountOf(line[column])),
    })),
  };
}

/**
 * The county of a line is the first half of HUD's ten-digit code, also of a town in New England. A city that HUD sets
 * apart as "part of" its county has a code of its own: it is a town of that county.
 */
function createCountyOf(
  lines: readonly (readonly string[])[],
  fips: number,
  [state = -1, county = -1, town = -1]: readonly number[],
): (line: readonly string[]) => string {
  const codeOf = (line: readonly string[]) => withZeros(line[fips], 9, 10).replace(/^(\d{5})\d{5}$/, '$1');
  const byName = new Map(lines.map((line) => [`${line[state]} ${line[county]}`, codeOf(line)]));
  return (line) => {
    const whole = / part of (.+)$/.exec(line[town] ?? '')?.[1];
    return (whole === undefined ? undefined : byName.get(`${line[state]} ${whole}`)) ?? codeOf(line);
  };
}

/** From a column of years, a header such as "FY2028 SAFMR", or a name such as FY28_FMRs.xlsx. */
function yearOf(column: string, head: readonly string[], name: string): number | undefined {
  if (/^20\d\d$/.test(column)) return Number(column);
  const digits = /(?:^|[^a-z])fy[ _-]?(?:20)?(\d\d)(?!\d)/i.exec(`${head.join(' ')} ${name}`)?.[1];
  return digits === undefined ? undefined : 2000 + Number(digits);
}

function savedOn(bytes: Buffer): string | undefined {
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => name === 'docProps/core.xml' && originalSize < 65_536,
  });
  const properties = Buffer.from(parts['docProps/core.xml'] ?? []).toString();
  return /<dcterms:modified[^>]*>(\d{4}-\d\d-\d\d)T/.exec(properties)?.[1];
}

function parseCsv(bytes: Buffer, name: string): string[][] {
  try {
    return parse(bytes, { bom: true, relax_column_count: true, skip_empty_lines: true });
  } catch {
    throw unreadable(
      `The file of ${name} is neither a workbook (.xlsx) nor CSV (UTF-8). Download HUD's workbook again.`,
    );
  }
}

/** An amount without dollar sign and commas, as a spreadsheet shows it. */
function amountOf(cell = ''): string {
  return cell.trim().replace(/^\$|,(?=\d{3}\b)/g, '');
}

/** Normalizes a header, even one with line breaks: `SAFMR\n2BR` is `safmr 2br`. */
function labelOf(header: string): string {
  return header
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/**
 * A code of `digits` digits, with the leading zeros that a spreadsheet removed, if at least `least` digits are left.
 */
function withZeros(code: string | undefined, least: number, digits: number): string {
  const text = code?.trim() ?? '';
  return /^\d+$/.test(text) && text.length >= least ? text.padStart(digits, '0') : text;
}

function unknownHeaders(name: string) {
  return unreadable(
    `The file of ${name} lacks columns: a ZIP or FIPS code and five rents (such as "SAFMR 2BR" or "fmr_2") are expected.`,
  );
}
