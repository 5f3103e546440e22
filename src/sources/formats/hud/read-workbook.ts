import { unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import { SourceError } from '../../source-error.js';

/** Over five times what HUD's largest sheet holds. */
const maxCells = 4_000_000;

/** True for a file that begins like a workbook: an .xlsx file is a ZIP archive. */
export function isWorkbook(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'));
}

/**
 * The first sheet of a workbook (.xlsx), line by line, each cell as text and numbers as they are written there. Throws
 * SourceError when it is none, and when it holds more than `maxBytes` unpacked or spans over 4,000,000 cells; memory
 * stays bounded by both, whatever the file says of itself.
 */
export async function readWorkbook(bytes: Buffer, name: string, maxBytes: number): Promise<string[][]> {
  try {
    refuseLarge(bytes, name, maxBytes);
    const lines = await readSheet(new Uint8Array(bytes).buffer, 1, { parseNumber: (text) => text });
    return lines
      .map((line) => line.map((cell) => String(cell ?? '')))
      .filter((line) => line.some((cell) => cell !== ''));
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(
      'delivery_unreadable',
      `The file of ${name} is not a workbook that can be read. Download it again.`,
    );
  }
}

/** Nothing is unpacked beyond the size that the archive states for it, so that its statement can be relied on. */
function refuseLarge(bytes: Buffer, name: string, maxBytes: number): void {
  let unpacked = 0;
  const sheets = unzipSync(bytes, {
    filter({ name: part, originalSize }) {
      unpacked += originalSize;
      return unpacked <= maxBytes && part.startsWith('xl/worksheets/');
    },
  });
  if (unpacked > maxBytes) throw tooLarge(name, `holds more than ${maxBytes / 1024 ** 2} MiB`);
  // A sheet is read as a whole rectangle, which one cell far out makes huge.
  if (Object.values(sheets).some((sheet) => cellsOf(sheet) > maxCells)) throw tooLarge(name, 'has a cell far out');
}

/** How many cells the rectangle has that all cells of a sheet lie in. */
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
