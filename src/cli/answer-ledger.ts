import { once } from 'node:events';
import type { Desk, LedgerQuestion } from '../door/desk.js';
import { renderBlocks, renderCsv, renderTable } from './render-rows.js';

/**
 * Asks the desk about the ledger and writes the answer: a table, a block for each payment, or CSV and lines of JSON as
 * they come, waiting for whoever reads them. What is said beside the rows follows them.
 */
export async function answerLedger(desk: Desk, question: LedgerQuestion, out: NodeJS.WritableStream): Promise<void> {
  if (question.about === 'export' || question.about === 'receipts') {
    const render = question.about === 'export' ? renderCsv : renderLines;
    await desk.askLedger(question, async (rows) => {
      if (!out.write(render(rows))) await once(out, 'drain');
    });
    return;
  }
  const rows: (readonly string[])[] = [];
  const notes = await desk.askLedger(question, (some) => void rows.push(...some));
  const text = question.about === 'payments' ? renderBlocks(rows) : rows.length > 1 ? renderTable(rows) : '';
  const said = notes.map((note) => `${note}\n`).join('');
  out.write(text + (text !== '' && said !== '' ? '\n' : '') + said);
}

/** Rows that are a JSON text each. */
function renderLines(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.join('')}\n`).join('');
}
