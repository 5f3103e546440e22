import { parentPort } from 'node:worker_threads';
import { loadContract } from '../contract/load-contract.js';
import { createValidators } from '../contract/validators.js';
import type { DealFacts } from '../deals/deal-facts.js';
import { createPrepareSync, type PreparedDeal } from './prepare-deals.js';

/** The deals of one message; messages are answered in their order. An error ends the thread. */
export type DealThreadAnswer = readonly PreparedDeal[];

/** The thread that prepares deals: see `open-deal-thread.ts`. */
const prepare = createPrepareSync(createValidators(loadContract()));
parentPort?.on('message', (facts: DealFacts) => parentPort?.postMessage(prepare(facts) satisfies DealThreadAnswer));
