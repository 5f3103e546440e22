/**
 * Keeps a client's open payments and spent amounts. A storage that outlives the process lets a restarted client present
 * its payments again and keep its budget. The content is secret.
 */
export interface PaymentStorage {
  /**
   * Replaces the stored text by the result of `change`, atomically. The argument is undefined when nothing was ever
   * stored. When `change` throws or the write fails, nothing is replaced. `change` may run again on a newer text, even
   * on one that contains its own earlier result.
   */
  update(change: (text: string | undefined) => string): Promise<void>;
}
