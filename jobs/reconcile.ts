import type { ReconcilePorts, ReconcileReport } from '../src/payments/settlement/reconcile.js';
import type { Job } from './job.js';

/** Every minute: brings open payments to their end by the chain's evidence. */
export function createReconcileJob(reconcile: (report: ReconcilePorts['report']) => Promise<ReconcileReport>): Job {
  return {
    name: 'reconcile',
    run: async ({ report }) => ({ ...(await reconcile((progress) => report({ ...progress }))) }),
  };
}
