import type { LedgerReports } from '../../src/payments/audit/ledger-reports.js';

/** Mock ledger reports of a ledger without sales. */
export const closedLedgerReports: LedgerReports = {
  audit: async () => ({
    throughBlock: 0,
    transfers: 0,
    payments: 0,
    orphans: 0,
    missing: 0,
    chainUsd: '0.00',
    ledgerUsd: '0.00',
    orphansUsd: '0.00',
    differenceUsd: '0.00',
    refundsDue: 0,
  }),
  answer: async () => [],
};
