import type { OperatorCommands } from '../socket/operator-commands.js';
import type { LedgerQuestion } from '../socket/messages.js';
import { renderBlocks, renderCsv, renderTable } from './render-rows.js';

/**
 * Asks the ledger and writes the answer: a table, a block for each payment, or a stream of CSV or JSON lines at the
 * reader's pace. Notes follow the rows. Rejects when the reader is gone.
 */
export async function answerLedger(
  commands: OperatorCommands,
  question: LedgerQuestion,
  out: NodeJS.WritableStream,
): Promise<void> {
  if (question.about === 'export' || question.about === 'receipts') {
    const render = question.about === 'export' ? renderCsv : renderLines;
    await commands.askLedger(question, (rows) => write(out, render(rows)));
    return;
  }
  const rows: (readonly string[])[] = [];
  const notes = await commands.askLedger(question, (some) => void rows.push(...some));
  const text = question.about === 'payments' ? renderBlocks(rows) : rows.length > 1 ? renderTable(rows) : '';
  const said = notes.map((note) => `${note}\n`).join('');
  out.write(text + (text !== '' && said !== '' ? '\n' : '') + said);
}

/** Resolves when the text has left this process. */
function write(out: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Rows that are one JSON text each. */
function renderLines(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.join('')}\n`).join('');
}
