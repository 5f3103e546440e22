import type { Log } from '../log.js';
import type { Ledger, PaymentKey } from './ledger.js';

/** Remembers which paid replies arrived whole. */
export interface DeliveryRecorder {
  record(key: PaymentKey, completed: boolean): void;
  /** True when this process has seen the reply arrive and the ledger may not know it yet. */
  isCompleted(key: PaymentKey): boolean;
  /** Writes what is pending; the last act of a graceful stop. */
  flush(): Promise<void>;
}

/**
 * Writes deliveries to the ledger in batches, so that a paid request still costs two statements. A broken delivery is
 * written at once: its buyer may be back in a moment.
 */
export function createDeliveryRecorder(ledger: Ledger, log: Log, batchMs = 500): DeliveryRecorder {
  let completed = new Map<string, PaymentKey>();
  let beingWritten = new Map<string, PaymentKey>();
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
    if (completed.size === 0) return;
    beingWritten = new Map([...beingWritten, ...completed]);
    const keys = [...completed.values()];
    completed = new Map();
    write(keys, 'completed');
    writing = writing.then(() => keys.forEach((key) => beingWritten.delete(nameOf(key))));
  }

  return {
    record(key, isComplete) {
      if (!isComplete) return write([key], 'incomplete');
      completed.set(nameOf(key), key);
      if (completed.size >= 200) writeCompleted();
      else timer ??= setTimeout(writeCompleted, batchMs).unref();
    },
    isCompleted: (key) => completed.has(nameOf(key)) || beingWritten.has(nameOf(key)),
    async flush() {
      writeCompleted();
      await writing;
    },
  };
}

function nameOf({ network, asset, payer, nonce }: PaymentKey): string {
  return `${network} ${asset} ${payer} ${nonce}`;
}
