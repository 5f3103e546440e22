import type { DropManifest } from '../../sources/formats/drop-manifest.js';
import type { MappableField } from '../../sources/formats/listing-fields.js';
import type { DemoFeed } from './demo-feeds.js';
import type { DemoFields } from './demo-scenarios.js';

/** Renders the rows of a feed in its format, with the broken rows spread among the good ones. */
export function renderDelivery({ manifest, badRows }: DemoFeed, rows: readonly DemoFields[]): Buffer {
  const columns = Object.entries(manifest.mapping).map(([field, column]): Column => ({
    field: field as MappableField,
    column,
  }));
  const good = rows.map((fields) => renderRow(manifest, columns, fields));
  const all = spread(good, badRows).map((row) => (typeof row === 'string' ? Buffer.from(row) : row));
  if (manifest.format === 'json')
    return Buffer.concat([Buffer.from('[\n'), ...joined(all, ',\n'), Buffer.from('\n]\n')]);
  const header =
    manifest.format === 'csv' ? `${columns.map(({ column }) => column).join(manifest.delimiter ?? ',')}\n` : '';
  return Buffer.concat([Buffer.from(header), ...all]);
}

interface Column {
  readonly field: MappableField;
  readonly column: string;
}

function renderRow({ format, delimiter = ',' }: DropManifest, columns: readonly Column[], fields: DemoFields): string {
  if (format === 'csv') return `${columns.map(({ field }) => quote(fields[field] ?? '')).join(delimiter)}\n`;
  const entries = columns.flatMap(({ field, column }) => {
    const text = fields[field];
    return text === undefined ? [] : [[column, toJson(text, field)] as const];
  });
  return JSON.stringify(Object.fromEntries(entries)) + (format === 'ndjson' ? '\n' : '');
}

/** Plain numbers as JSON numbers; ZIPs and keys stay text. */
function toJson(text: string, field: MappableField): string | number {
  return /^[1-9]\d*(\.\d+)?$/.test(text) && field !== 'zip' && field !== 'sourceKey' ? Number(text) : text;
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
