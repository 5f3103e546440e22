import type { Maybe } from '../absence.js';
import type { DeliveryKind, RejectReason } from './source.js';
import { storableText } from './storable-text.js';
import { codeOf, type ValueCode } from './values/not-understood.js';

/** How the values of one column were understood. */
export interface ColumnImport {
  read: number;
  notStated: number;
  notUnderstood: number;
  readonly codes: Partial<Record<ValueCode, number>>;
  /** Up to three texts that were not understood; none of a person. */
  readonly examples: string[];
}

/** What became of the rows of one reading, and of their values by field. It grows while the reading goes on. */
export interface ImportReport {
  readonly rows: { accepted: number; readonly refused: Partial<Record<RejectReason, number>> };
  readonly columns: Record<string, ColumnImport>;
  /** Columns of the delivery that no field reads, each with the mapped one that is written most alike. */
  unmapped?: readonly string[];
}

export function createImportReport(): ImportReport {
  return { rows: { accepted: 0, refused: {} }, columns: {} };
}

const maxExamples = 3;
const longestExample = 60;
/** Columns of people: no text of them leaves the records themselves. */
const ofPeople: ReadonlySet<string> = new Set(['ownerName', 'defendant', 'plaintiff', 'attorney']);

/**
 * A stated value for an operator's eyes, shortened; undefined in a column of people. Of a county's records only its
 * shape, since a row whose columns are shifted has a person's name in any of them: each letter is an `x`.
 */
export function toExample(field: string, stated: unknown, delivers: DeliveryKind): string | undefined {
  if (ofPeople.has(field)) return undefined;
  const text = typeof stated === 'string' ? stated : (JSON.stringify(stated) ?? '');
  const shown = delivers === 'listings' ? text : text.replace(/\p{L}/gu, 'x');
  return storableText(shown.trim(), longestExample);
}

/** Drops all examples once a row had other columns than its header: texts of other rows may be shifted, too. */
export function dropDoubtfulExamples({ rows, columns }: ImportReport): void {
  if (rows.refused.row_unreadable === undefined) return;
  for (const { examples } of Object.values(columns)) examples.length = 0;
}

/**
 * Counts one value, with `example` as its text. Returns why it was not understood; undefined if it was. A financing
 * term that no rule knows is listed, but does not make its column one that is not understood.
 */
export function countValue(
  { columns }: ImportReport,
  field: string,
  value: Maybe<unknown>,
  example: string | undefined,
): ValueCode | undefined {
  const column = (columns[field] ??= { read: 0, notStated: 0, notUnderstood: 0, codes: {}, examples: [] });
  const code = codeOf(value);
  if ('value' in value) column.read += 1;
  else if (code === undefined) column.notStated += 1;
  else {
    if (code !== 'unknown_term') column.notUnderstood += 1;
    column.codes[code] = (column.codes[code] ?? 0) + 1;
    if (example !== undefined && column.examples.length < maxExamples && !column.examples.includes(example))
      column.examples.push(example);
  }
  return code;
}

export function countRefused({ rows: { refused } }: ImportReport, reason: RejectReason): void {
  refused[reason] = (refused[reason] ?? 0) + 1;
}

/** Rows that were refused, without those that were read and are of nothing that is sold. */
function countUnread({ rows: { refused } }: ImportReport): number {
  const { not_relevant: _, ...unread } = refused;
  return Object.values(unread).reduce((sum, count) => sum + count, 0);
}

/** True when rows came, and every one of them was refused. */
export function isAllRefused(report: ImportReport): boolean {
  const { accepted, refused } = report.rows;
  return accepted === 0 && (refused.not_relevant ?? 0) === 0 && countUnread(report) > 0;
}

/** From this share of refused rows on an operator is told. */
const maxRefusedShare = 0.2;

/** What an operator must know of a reading that is sold nevertheless, one sentence each. */
export function findProblems(report: ImportReport): string[] {
  const { accepted, refused } = report.rows;
  const unread = countUnread(report);
  const rows = accepted + unread + (refused.not_relevant ?? 0);
  const columns = Object.entries(report.columns).filter(([, { read, notUnderstood }]) => notUnderstood > read);
  return [
    ...(unread > 0 && unread >= maxRefusedShare * rows
      ? [`${unread} of ${rows} rows were refused (${listCounts(refused)}).`]
      : []),
    ...columns.map(
      ([field, { read, notUnderstood, codes }]) =>
        `${field} was understood in ${read} of ${read + notUnderstood} rows (${listCounts(codes)}).`,
    ),
  ];
}

/** Counts as `range 12, negative 1`, the most frequent first. */
export function listCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
