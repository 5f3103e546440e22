import type { Log } from '../log.js';
import type { Ledger, PaymentKey } from './ledger.js';

/** Remembers which paid replies arrived whole. */
export interface DeliveryRecorder {
  record(key: PaymentKey, completed: boolean): void;
  /** Writes what is pending; the last act of a graceful stop. */
  flush(): Promise<void>;
}

/**
 * Writes deliveries to the ledger in batches, so that a paid request still costs two statements. A broken delivery is
 * written at once: its buyer may be back in a moment.
 */
export function createDeliveryRecorder(ledger: Ledger, log: Log, batchMs = 500): DeliveryRecorder {
  let completed: PaymentKey[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function write(keys: readonly PaymentKey[], delivery: 'completed' | 'incomplete'): void {
    writing = writing
      .then(() => ledger.recordDeliveries(keys, delivery))
      .catch((error: unknown) => log.error({ err: error, keys: keys.length }, 'deliveries not recorded'));
  }

  function writeCompleted(): void {
    clearTimeout(timer);
    timer = undefined;
    const keys = completed;
    completed = [];
    if (keys.length > 0) write(keys, 'completed');
  }

  return {
    record(key, isComplete) {
      if (!isComplete) return write([key], 'incomplete');
      completed.push(key);
      if (completed.length >= 200) writeCompleted();
      else timer ??= setTimeout(writeCompleted, batchMs).unref();
    },
    async flush() {
      writeCompleted();
      await writing;
    },
  };
}
