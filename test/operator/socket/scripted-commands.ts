import type { OperatorCommands, JobLine } from '../../../src/operator/socket/operator-commands.js';
import { OperatorError } from '../../../src/errors.js';

/** Jobs as a server lists them. */
export const jobLines: readonly JobLine[] = [
  {
    job: 'listings',
    state: 'succeeded',
    lastSlot: '2026-03-08T05:00:00.000Z',
    next: '2026-03-09T05:00:00.000Z',
    error: null,
  },
  {
    job: 'publish',
    state: 'failed',
    lastSlot: '2026-03-08T00:00:00.000Z',
    next: '2026-03-09T00:00:00.000Z',
    error: 'The disk is full.',
  },
  { job: 'maintenance', state: 'never run', lastSlot: null, next: '2026-03-09T04:00:00.000Z', error: null },
];

const balance = { chainUsd: '0.24', lostSales: 0, differenceUsd: '0.00' };

/**
 * A server with a job, `listings`, that reports twice and does what the test says; one, `auctions`, that must wait for
 * it; and an audit with lost sales.
 */
export function createScriptedCommands(finish: () => Promise<void> = async () => {}): OperatorCommands {
  return {
    listJobs: async () => jobLines,
    async runJob(job, onProgress, waits) {
      if (job === 'auctions' && waits !== true) throw new OperatorError('The job auctions cannot run now.');
      if (job === 'auctions') {
        for (const waitsFor of ['listings', 'listings']) onProgress({ waitsFor });
        return { version: 2 };
      }
      if (job === 'audit') return { ...balance, lostSales: 3, differenceUsd: '0.06' };
      if (job !== 'listings') throw new OperatorError(`There is no job ${job}.`);
      onProgress({ rows: 100 });
      onProgress({ rows: 200 });
      await finish();
      return { rows: 250, problems: '' };
    },
    async runOrder(order, onProgress) {
      if (order.do === 'rebuild') return { written: 3, since: order.since ?? '', ...balance };
      if (order.do !== 'ingest') return { deals: 1, signals: 0, auctions: 0 };
      if (order.source !== 'county') throw new OperatorError(`There is no source ${order.source}.`);
      onProgress({ rows: 10 });
      const columns = order.since === undefined && order.dryRun ? 'zip: read 19, not stated 0, not understood 1' : '';
      return { status: order.dryRun ? 'tried' : 'completed', rows: 20, since: order.since ?? '', columns };
    },
    listSources: async () => [
      ['source', 'status', 'records'],
      ['county', 'fresh', '20'],
    ],
    listRejects: async ({ source, column }) => {
      if (source !== 'county') throw new OperatorError(`There is no source ${source}.`);
      const rows = [
        ['taxes.csv:3', '', 'row_unreadable', 'The row is not CSV.', ''],
        ['taxes.csv:4', 'zip', 'not_a_zip', 'five digits, or nine', 'ABC'],
      ];
      const shown = rows.filter(([, field]) => column === undefined || field === column);
      return [['place', 'column', 'code', 'expected', 'text'], ...shown];
    },
    async askLedger({ about }, onRows) {
      if (about === 'refund') throw new OperatorError('Nothing is due.');
      if (about === 'receipts') {
        await onRows([['{"transaction":"0x01"}']]);
        await onRows([['{"transaction":"0x02"}']]);
        return [];
      }
      if (about === 'demand') {
        await onRows([
          ['operation', 'not found'],
          ['listDeals', '3'],
        ]);
        return [];
      }
      if (about === 'balance') return ['  sales: 9'];
      await onRows([['day', 'usd']]);
      await onRows([
        ['2026-03-07', '0.05'],
        ['2026-03-08', '12.00'],
      ]);
      return ['The ledger equals the chain.'];
    },
  };
}
