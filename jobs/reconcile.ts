import type { ReconcilePorts, ReconcileReport } from '../src/payments/settlement/reconcile.js';
import type { Job } from './job.js';

/** Every minute: resolves open payments from chain evidence. */
export function createReconcileJob(reconcile: (report: ReconcilePorts['onProgress']) => Promise<ReconcileReport>): Job {
  return {
    name: 'reconcile',
    run: async ({ report }) => ({ ...(await reconcile((progress) => report({ ...progress }))) }),
  };
}
