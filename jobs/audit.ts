import type { Books } from '../src/payments/audit/books.js';
import type { Job } from './job.js';

/** Daily: compares the ledger with the chain, transfer by transfer. */
export function createAuditJob(audit: Books['audit']): Job {
  return { name: 'audit', run: async ({ report }) => ({ ...(await audit((progress) => report({ ...progress }))) }) };
}
