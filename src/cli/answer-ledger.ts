import { once } from 'node:events';
import type { Desk, LedgerQuestion } from '../door/desk.js';
import { renderBlocks, renderCsv, renderTable } from './render-rows.js';

/**
 * Asks the desk about the ledger and writes the answer: a table, a block for each payment, or CSV as it comes, waiting
 * for whoever reads it. What is said beside the rows follows them.
 */
export async function answerLedger(desk: Desk, question: LedgerQuestion, out: NodeJS.WritableStream): Promise<void> {
  if (question.about === 'export') {
    await desk.askLedger(question, async (rows) => {
      if (!out.write(renderCsv(rows))) await once(out, 'drain');
    });
    return;
  }
  const rows: (readonly string[])[] = [];
  const notes = await desk.askLedger(question, (some) => void rows.push(...some));
  const text = question.about === 'payments' ? renderBlocks(rows) : rows.length > 1 ? renderTable(rows) : '';
  const said = notes.map((note) => `${note}\n`).join('');
  out.write(text + (text !== '' && said !== '' ? '\n' : '') + said);
}
