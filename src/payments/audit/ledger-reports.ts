import type { Database } from '../../db/database.js';
import { OperatorError } from '../../errors.js';
import { answerLedgerQuestion, type LedgerQuestion, type OnRows } from './answer-ledger-question.js';
import { auditLedger, type AuditPorts, type AuditReport } from './audit-ledger.js';
import { createAuditReader } from './audit-reader.js';
import { createAuditStore } from './audit-store.js';
import type { ChainHistory } from '../settlement/chain-history.js';
import { createLedgerReader } from '../ledger/ledger-reader.js';
import { rebuildLedger, type RebuildPorts, type RebuildReport } from './rebuild-ledger.js';
import type { RecheckPorts } from './recheck-settlements.js';
import type { ReceiptOf } from '../payment-response.js';
import { createReceiptsReader } from './receipts-reader.js';
import { createRefundsReader } from './refunds-reader.js';

/** The operator's view of the money. */
export type LedgerReports = ReturnType<typeof openLedgerReports>;

/** Opens the reports of a ledger. Without the chain's history they can be read and not audited. */
export function openLedgerReports(
  ports: RecheckPorts & {
    readonly database: Pick<Database, 'knex'>;
    readonly history: ChainHistory | undefined;
    readonly receiptOf: ReceiptOf;
  } & Pick<RebuildPorts, 'now' | 'relayers' | 'operations'>,
) {
  const { knex } = ports.database;
  const [ledgerReader, refunds, reader] = [
    createLedgerReader(knex),
    createRefundsReader(knex),
    createAuditReader(knex),
  ];
  const receipts = createReceiptsReader(knex, ports.receiptOf);
  const store = createAuditStore(knex);
  const stored = { reader, refunds, store };
  const history = (): ChainHistory => {
    if (ports.history !== undefined) return ports.history;
    throw new OperatorError('There is no chain to ask. That of a demonstration lives with its server: start it first.');
  };
  return {
    /** @throws OperatorError if there is no chain to hold the ledger against */
    audit: async (onProgress?: AuditPorts['onProgress']): Promise<AuditReport> =>
      auditLedger({ ...ports, ...stored, history: history(), onProgress }),
    /** @throws OperatorError as `audit` */
    rebuild: async (since?: Date, onProgress?: RebuildPorts['onProgress']): Promise<RebuildReport> =>
      rebuildLedger({ ...ports, ...stored, history: history(), onProgress }, since),
    /**
     * Answers with rows of text, the names of the columns first, and resolves to further sentences.
     *
     * @throws OperatorError when the question cannot be answered
     */
    answer: (question: LedgerQuestion, onRows: OnRows): Promise<readonly string[]> =>
      answerLedgerQuestion(question, onRows, { ...ports, ...stored, history, ledgerReader, receipts }),
  };
}
