import { unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import { SourceError, unreadable } from '../../source-error.js';

/** More than five times the cells of HUD's largest sheet. */
const maxCells = 4_000_000;

/** True for bytes that begin like a workbook: an .xlsx file is a ZIP archive. */
export function isWorkbook(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'));
}

/**
 * The first sheet of a workbook (.xlsx) by line, each cell as text and numbers as written. Memory is bounded by both
 * limits, whatever the file states.
 *
 * @throws SourceError when it is not a workbook, unpacks to more than `maxBytes`, or spans over 4,000,000 cells
 */
export async function readWorkbook(bytes: Buffer, name: string, maxBytes: number): Promise<string[][]> {
  try {
    refuseLarge(bytes, name, maxBytes);
    const lines = await readSheet(new Uint8Array(bytes).buffer, 1, { parseNumber: (text) => text });
    return lines
      .map((line) => line.map((cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? ''))))
      .filter((line) => line.some((cell) => cell !== ''));
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw unreadable(`The file of ${name} is not a readable workbook. Download it again.`);
  }
}

/** The stated size can be relied on: nothing is unpacked beyond it. */
function refuseLarge(bytes: Buffer, name: string, maxBytes: number): void {
  let unpacked = 0;
  const sheets = unzipSync(bytes, {
    filter({ name: part, originalSize }) {
      unpacked += originalSize;
      return unpacked <= maxBytes && part.startsWith('xl/worksheets/');
    },
  });
  if (unpacked > maxBytes) throw tooLarge(name, `holds more than ${maxBytes / 1024 ** 2} MiB`);
  // A sheet is read as a whole rectangle, which a single distant cell makes huge.
  if (Object.values(sheets).some((sheet) => cellsOf(sheet) > maxCells))
    throw tooLarge(name, 'has a cell far from the others');
}

/** Number of cells of the rectangle around all cells of a sheet. */
function cellsOf(sheet: Uint8Array): number {
  let [columns, rows] = [0, 0];
  for (const [, letters = '', row] of Buffer.from(sheet)
    .toString('latin1')
    .matchAll(/\sr\s*=\s*["']([A-Z]+)(\d+)["']/gi)) {
    columns = Math.max(columns, columnOf(letters.toUpperCase()));
    rows = Math.max(rows, Number(row));
  }
  return columns * rows;
}

/** A is 1, Z is 26, AA is 27. */
function columnOf(letters: string): number {
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

function tooLarge(name: string, why: string): SourceError {
  return new SourceError(
    'upstream_too_large',
    `The workbook of ${name} ${why}. Save its sheet of rents as a file of its own.`,
  );
}
