import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DealThreadAnswer } from './deal-thread.js';
import type { PrepareDeals } from './prepare-deals.js';

/** A thread that prepares deals, while this one goes on reading, writing and answering. */
export interface DealThread {
  /** Prepares deals in the order of the calls. Rejects when the thread fails, and from then on. */
  readonly prepare: PrepareDeals;
  close(): Promise<void>;
}

/** Starts the thread: it takes a second to answer, and some 100 MB. */
export function openDealThread(): DealThread {
  // Beside this file, as source or compiled.
  const program = new URL(`./deal-thread${extname(import.meta.url)}`, import.meta.url);
  // Nearly all of its objects live briefly.
  const thread = new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: 96 } });
  const waiting: { resolve(deals: DealThreadAnswer): void; reject(error: Error): void }[] = [];
  let failure: Error | undefined;

  function fail(error: Error): void {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  }

  thread.on('message', (deals: DealThreadAnswer) => waiting.shift()?.resolve(deals));
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error('The thread that prepares deals has ended.')));
  return {
    prepare: (facts) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        thread.postMessage(facts);
        waiting.push({ resolve, reject });
      }),
    close: async () => void (await thread.terminate()),
  };
}
