import type { Emphasis, Style } from '../../terminal/style.js';
import { cellText, rowNumber, type Column } from './columns.js';
import { plainText } from '../plain-text.js';
import type { Row } from '../wire/records.js';

const gap = '  ';
/** Readable width of a text: columns are dropped before a text is cut below it. */
const fairTextWidth = 24;
/** Minimum width of a cut text. If the table is still too wide, columns are dropped. */
const minTextWidth = 10;

/** How a table is written. */
export interface TableLook {
  /** Characters of a line. */
  readonly width: number;
  readonly style?: Style;
}

export interface RenderedTable {
  readonly text: string;
  /** Titles of the columns that had no room, in order. */
  readonly dropped: readonly string[];
}

/**
 * Rows as a table for a terminal; no line is longer than its width. A wide table loses, in this order:
 * - columns from the right, but for those that are kept
 * - the ends of texts, cut with an ellipsis
 * - other columns, from the right
 */
export function renderTable(rows: readonly Row[], columns: readonly Column[], look: TableLook): RenderedTable {
  const { width, style = (_, text) => text } = look;
  const measured = columns.map((column) => {
    const cells = rows.map((row, index) => [
      ...plainText(column.field === rowNumber ? String(index + 1) : cellText(row, column)),
    ]);
    const natural = cells.reduce((longest, cell) => Math.max(longest, cell.length), column.title.length);
    const isWhole = column.isText !== true || column.isWhole === true;
    const atLeast = (textWidth: number) => (isWhole ? natural : Math.min(natural, textWidth));
    return { ...column, cells, natural, fair: atLeast(fairTextWidth), least: atLeast(minTextWidth) };
  });
  const kept = dropUntilFitting(measured, width);
  const widths = shrinkTexts(kept, width);
  const line = (
    cellOf: (column: Measured) => readonly string[],
    emphasisOf: (column: Measured) => Emphasis | undefined,
  ) =>
    joinCells(
      kept.map((column, index) => ({
        text: fit(cellOf(column), widths[index] ?? 0, column.isText !== true),
        emphasis: emphasisOf(column),
      })),
      style,
    );
  const lines = [
    line(
      ({ title }) => [...title],
      () => 'bold',
    ),
    widths.map((each) => '─'.repeat(each)).join(gap),
    ...rows.map((_, index) =>
      line(
        ({ cells }) => cells[index] ?? [],
        ({ cells, emphasis }) => emphasis?.((cells[index] ?? []).join('')),
      ),
    ),
  ];
  const titles = new Set(kept.map(({ title }) => title));
  return {
    text: lines.map((each) => `${each}\n`).join(''),
    dropped: columns.map(({ title }) => title).filter((title) => !titles.has(title)),
  };
}

/** Cells as a line without blanks at its end. */
function joinCells(cells: readonly { text: string; emphasis: Emphasis | undefined }[], style: Style): string {
  const last = cells.findLastIndex(({ text }) => text.trim() !== '');
  return cells
    .slice(0, last + 1)
    .map(({ text, emphasis }, index) => {
      const shown = index === last ? text.trimEnd() : text;
      return emphasis === undefined ? shown : style(emphasis, shown);
    })
    .join(gap);
}

interface Measured extends Column {
  readonly cells: readonly string[][];
  readonly natural: number;
  readonly fair: number;
  readonly least: number;
}

function dropUntilFitting(columns: readonly Measured[], width: number): readonly Measured[] {
  const kept = [...columns];
  const isKnown = columns.some(({ isKept }) => isKept);
  for (let last = kept.length - 1; last > 0 && totalWidth(kept.map(({ fair }) => fair)) > width; last -= 1) {
    if (isKnown && kept[last]?.isKept !== true) kept.splice(last, 1);
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
