import type { LedgerReports } from '../src/payments/audit/ledger-reports.js';
import type { Job } from './job.js';

/** Daily: compares the ledger with the chain, transfer by transfer. */
export function createAuditJob(audit: LedgerReports['audit']): Job {
  return { name: 'audit', run: async ({ report }) => ({ ...(await audit((progress) => report({ ...progress }))) }) };
}
