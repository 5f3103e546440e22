/**
 * Where a client keeps its payments: what is signed and not yet settled, and what was spent. It must outlive the
 * process for a payment to be presented again after a restart, and for budgets to hold over restarts. What it holds is
 * a secret.
 */
export interface PaymentStorage {
  /**
   * Replaces the text that is kept by what `change` makes of it, in one step: nobody else changes it in between.
   * Undefined: nothing was ever kept. When `change` throws, or the write fails, nothing is replaced. `change` may run
   * again on a newer text, also on one that holds what it did before.
   */
  update(change: (text: string | undefined) => string): Promise<void>;
}
