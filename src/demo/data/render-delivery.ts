import type { CountyManifest, DropManifest } from '../../sources/formats/drop-manifest.js';

/** One row by the columns of its file. */
export type DemoRow = Readonly<Record<string, string | undefined>>;

/** A fictional delivery: its manifest, its rows, and rows as in the file that are each broken in their own way. */
export interface DemoDelivery {
  readonly manifest: DropManifest | CountyManifest;
  readonly rows: readonly DemoRow[];
  readonly badRows: readonly (string | Buffer)[];
}

/** Renders a delivery in its format, with the broken rows spread among the good ones. */
export function renderDelivery({ manifest, rows, badRows }: DemoDelivery): Buffer {
  const { format, delimiter = ',' } = manifest;
  const columns = columnsOf(manifest);
  const good = rows.map((row) =>
    format === 'csv'
      ? `${columns.map((column) => quote(row[column] ?? '')).join(delimiter)}\n`
      : renderObject(row, columns) + (format === 'ndjson' ? '\n' : ''),
  );
  const all = spread(good, badRows).map((row) => (typeof row === 'string' ? Buffer.from(row) : row));
  if (format === 'json') return Buffer.concat([Buffer.from('[\n'), ...joined(all, ',\n'), Buffer.from('\n]\n')]);
  return Buffer.concat([Buffer.from(format === 'csv' ? `${columns.join(delimiter)}\n` : ''), ...all]);
}

function columnsOf(manifest: DemoDelivery['manifest']): readonly string[] {
  if (!('columns' in manifest)) return Object.values(manifest.mapping);
  const { key, columns, flags } = manifest;
  return [...new Set([...key, ...Object.values<string>(columns), ...Object.keys(flags)])];
}

/** Plain numbers as JSON numbers; ZIPs stay text. */
function renderObject(row: DemoRow, columns: readonly string[]): string {
  const entries = columns.flatMap((column) => {
    const text = row[column];
    if (text === undefined) return [];
    return [[column, /^[1-9]\d*(\.\d+)?$/.test(text) && column !== 'zip' ? Number(text) : text] as const];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

function quote(text: string): string {
  return /[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Puts one broken row after every ninth good one, and the rest at the end. */
function spread(good: readonly string[], bad: readonly (string | Buffer)[]): (string | Buffer)[] {
  const rows = good.flatMap((row, index) => {
    const broken = index % 9 === 8 ? bad[(index - 8) / 9] : undefined;
    return broken === undefined ? [row] : [row, broken];
  });
  return [...rows, ...bad.slice(Math.floor(good.length / 9))];
}

function joined(rows: readonly Buffer[], separator: string): Buffer[] {
  return rows.flatMap((row, index) => (index === 0 ? [row] : [Buffer.from(separator), row]));
}
