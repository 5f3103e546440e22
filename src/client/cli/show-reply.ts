import { createStyle } from '../../terminal/style.js';
import { plainText } from '../plain-text.js';
import { isRow, findRecords } from '../wire/records.js';
import { readTotal } from '../wire/next-pages.js';
import type { Reply } from '../service-client.js';
import { areDeals, chooseColumns } from './columns.js';
import { keepLastList } from './last-list.js';
import type { GetCommand } from './parse-command.js';
import { renderAnswer } from './render-answer.js';
import { renderBody } from './render-body.js';
import { isReport, renderReport } from './render-report.js';
import { renderTable } from './render-table.js';
import type { Surroundings } from './surroundings.js';

/** Rows that fit a terminal at once. */
const mostRows = 20;

/**
 * Shows what a call returned to a person: a list as a table, of 20 rows on a terminal; a report on one screen; other
 * answers in words. Keeps the shown deals, so that their numbers name them.
 */
export async function showReply(
  body: unknown,
  first: Reply,
  command: GetCommand,
  baseUrl: string,
  surroundings: Surroundings,
): Promise<void> {
  const { out, notes } = surroundings;
  const look = { width: surroundings.width, style: createStyle(surroundings.isColored) };
  const answer = renderKnown(body, () =>
    isReport(body)
      ? renderReport(body, { ...look, isFull: command.full })
      : isRow(body)
        ? renderAnswer(command.path, body, look)
        : undefined,
  );
  const rows = answer === undefined ? findRecords(body)?.rows : undefined;
  if (rows === undefined || rows.length === 0) {
    out.write(answer ?? renderBody(body, 'table', look.width));
    return;
  }
  const shown = out.isTTY === true && !command.all ? rows.slice(0, mostRows) : rows;
  const width = command.wide ? Infinity : look.width;
  const table = renderTable(shown, chooseColumns(shown, command.path), { ...look, width });
  out.write(table.text);
  if (table.dropped.length > 0)
    notes.write(`Not shown at ${width} columns: ${table.dropped.join(', ')}. --wide shows all.\n`);
  notes.write(describeCount(rows.length, shown.length, first, command.all));
  const cursor = isRow(body) ? body['next_cursor'] : undefined;
  if (typeof cursor === 'string') notes.write(`Next time: deals-feed events --cursor ${plainText(cursor)}\n`);
  if (!areDeals(shown)) return;
  await keepLastList(surroundings.files, baseUrl, shown);
  if (out.isTTY === true) notes.write('The report of a row: deals-feed report 1\n');
}

/** What a server of another version sends in another shape is shown as it came: it may be paid for. */
function renderKnown(body: unknown, render: () => string | undefined): string | undefined {
  try {
    return render();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return renderBody(JSON.stringify(body, undefined, 2), 'table', Infinity);
  }
}

/** Keeps a report in a file and opens the page that draws it, or says where both are. */
export async function openReport(
  body: unknown,
  text: string,
  baseUrl: string,
  { files, notes, openBrowser }: Surroundings,
): Promise<void> {
  if (!isReport(body)) {
    notes.write('Only a report can be opened.\n');
    return;
  }
  const path = await files.write(`reports/${body.deal.id}.json`, text).catch(() => undefined);
  const page = `${baseUrl}/report`;
  const isOpen = path !== undefined && (await openBrowser(page));
  if (path === undefined) notes.write('The report could not be written to ~/.deals-feed/reports.\n');
  else notes.write(`The report is in ${path}. ${isOpen ? 'Choose it on the page' : `Open it at ${page}`}.\n`);
}

/** The received share of the result set, as one line. */
export function describeCount(count: number, shown: number, first: Reply, all: boolean): string {
  const total = readTotal(first) ?? count;
  if (shown < count) return `${shown} of ${total} records. ${total - shown} more: --all shows them, free.\n`;
  const rest = !all && first.headers.has('link') ? ' --all fetches the rest, free.' : '';
  return `${count} of ${total} records.${rest}\n`;
}
