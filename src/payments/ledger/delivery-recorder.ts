import type { Log } from '../../log.js';
import type { Ledger, PaymentKey } from './ledger.js';
import { paymentName } from './payment-row.js';

/** Remembers which paid replies arrived whole. */
export interface DeliveryRecorder {
  record(key: PaymentKey, completed: boolean): void;
  /** True when this process has seen the reply arrive and the ledger may not know it yet. */
  isCompleted(key: PaymentKey): boolean;
  /** Writes what is pending; the last act of a graceful stop. */
  flush(): Promise<void>;
}

/** Runs something later; gives what calls it off. */
export type RunLater = (run: () => void, delayMs: number) => () => void;

/** So many are written without waiting for the time to pass. */
const fullBatch = 200;
const batchMs = 500;

/**
 * Writes deliveries to the ledger in batches, so that a paid request still costs two statements. A broken delivery is
 * written at once: its buyer may be back in a moment. A completed one is kept until the ledger has it: nobody else may
 * have the reply again because the database was away.
 */
export function createDeliveryRecorder(ledger: Ledger, log: Log, runLater: RunLater = runByTimer): DeliveryRecorder {
  const completed = new Map<string, PaymentKey>();
  let callOff: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  function writeCompleted(): void {
    callOff?.();
    callOff = undefined;
    writing = writing.then(async () => {
      const batch = new Map(completed);
      if (batch.size === 0 || !(await write([...batch.values()], 'completed'))) return;
      for (const name of batch.keys()) completed.delete(name);
    });
  }

  async function write(keys: readonly PaymentKey[], delivery: 'completed' | 'incomplete'): Promise<boolean> {
    try {
      await ledger.recordDeliveries(keys, delivery);
      return true;
    } catch (error) {
      log.error({ err: error, keys: keys.length, delivery }, 'deliveries not recorded');
      if (delivery === 'completed') callOff ??= runLater(writeCompleted, batchMs);
      return false;
    }
  }

  return {
    record(key, isComplete) {
      if (!isComplete) {
        writing = writing.then(async () => void (await write([key], 'incomplete')));
        return;
      }
      completed.set(paymentName(key), key);
      if (completed.size % fullBatch === 0) writeCompleted();
      else callOff ??= runLater(writeCompleted, batchMs);
    },
    isCompleted: (key) => completed.has(paymentName(key)),
    async flush() {
      writeCompleted();
      await writing;
      callOff?.();
    },
  };
}

/** By a timer that keeps no process alive. */
function runByTimer(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
}
