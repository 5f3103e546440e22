import type { LedgerReports } from '../../src/payments/audit/ledger-reports.js';

const report = {
  throughBlock: 0,
  transfers: 0,
  payments: 0,
  missing: 0,
  chainUsd: '0.00',
  ledgerUsd: '0.00',
  lostSales: 0,
  lostSalesUsd: '0.00',
  orphans: 0,
  orphansUsd: '0.00',
  foreign: 0,
  rebuilt: 0,
  differenceUsd: '0.00',
  refundsDue: 0,
};

/** Mock ledger reports of a ledger without sales. */
export const closedLedgerReports: LedgerReports = {
  audit: async () => report,
  rebuild: async () => ({ written: 0, writtenUsd: '0.00', ...report }),
  answer: async () => [],
};
