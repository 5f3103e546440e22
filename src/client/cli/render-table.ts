import { cellText, type Column } from './columns.js';
import { plainText } from '../plain-text.js';
import type { Row } from '../wire/records.js';

const gap = '  ';
/** Readable width of a text: optional columns are dropped before a text is cut below it. */
const fairTextWidth = 24;
/** Minimum width of a cut text. If the table is still too wide, columns are dropped. */
const minTextWidth = 10;

/**
 * Rows as a table for a terminal of `width` characters; no line is longer. A wide table loses, in this order:
 * - optional columns, from the right
 * - the ends of texts, cut with an ellipsis
 * - other columns, from the right
 */
export function renderTable(rows: readonly Row[], columns: readonly Column[], width: number): string {
  const measured = columns.map((column) => {
    const cells = rows.map((row) => [...plainText(cellText(row, column))]);
    const natural = cells.reduce((longest, cell) => Math.max(longest, cell.length), column.title.length);
    const isWhole = column.isText !== true || column.isWhole === true;
    const atLeast = (textWidth: number) => (isWhole ? natural : Math.min(natural, textWidth));
    return { ...column, cells, natural, fair: atLeast(fairTextWidth), least: atLeast(minTextWidth) };
  });
  const kept = dropUntilFitting(measured, width);
  const widths = shrinkTexts(kept, width);
  const line = (texts: readonly string[][]) =>
    kept
      .map(({ isText }, index) => fit(texts[index] ?? [], widths[index] ?? 0, isText !== true))
      .join(gap)
      .trimEnd();
  const lines = [
    line(kept.map(({ title }) => [...title])),
    widths.map((each) => '─'.repeat(each)).join(gap),
    ...rows.map((_, index) => line(kept.map(({ cells }) => cells[index] ?? []))),
  ];
  return lines.map((each) => `${each}\n`).join('');
}

interface Measured extends Column {
  readonly cells: readonly string[][];
  readonly natural: number;
  readonly fair: number;
  readonly least: number;
}

function dropUntilFitting(columns: readonly Measured[], width: number): readonly Measured[] {
  const kept = [...columns];
  for (let last = kept.length - 1; last > 0 && totalWidth(kept.map(({ fair }) => fair)) > width; last -= 1) {
    if (kept[last]?.isOptional) kept.splice(last, 1);
  }
  while (kept.length > 1 && totalWidth(kept.map(({ least }) => least)) > width) kept.pop();
  return kept;
}

/** Shortens the widest text, character by character, until the line fits. */
function shrinkTexts(columns: readonly Measured[], width: number): readonly number[] {
  const widths = columns.map(({ natural }) => natural);
  for (let excess = totalWidth(widths) - width; excess > 0; excess -= 1) {
    const shrinkable = widths.map((each, index) => (each > (columns[index]?.least ?? each) ? each : 0));
    const widest = Math.max(...shrinkable);
    // A single column that is too wide is cut, even when it is not a text.
    const index = widest > 0 ? shrinkable.indexOf(widest) : 0;
    widths[index] = Math.max(1, (widths[index] ?? 1) - 1);
  }
  return widths;
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + gap.length, -gap.length);
}

function fit(characters: readonly string[], width: number, isNumeric: boolean): string {
  const text = characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : characters.join('');
  const padding = ' '.repeat(Math.max(0, width - characters.length));
  return isNumeric ? padding + text : text + padding;
}
