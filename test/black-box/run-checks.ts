import type { ContractOperation } from '../../src/contract/contract.js';
import { createFreeChecks } from './free-checks.js';
import { type Check, Untried } from './check.js';
import { findLiveValues } from './live-values.js';
import { createPaidChecks } from './paid-checks.js';
import type { Purse } from './purse.js';
import { openTarget, type Target } from './target.js';

export interface ChecksOptions {
  /** Undefined: nothing is bought. */
  readonly purse: Purse | undefined;
  /** The path of the one operation to check; default: all. */
  readonly only?: string | undefined;
  readonly now: () => Date;
  /** Told each check as it ends. */
  readonly report: (outcome: Outcome) => void;
}

/** How a check went; `why` says what was wrong, or why it could not be tried. */
export interface Outcome {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'untried';
  readonly why?: string;
}

/** Nobody outside can bring them about without doing harm. */
const unprovoked = new Map([
  [410, 'what has ended a day ago'],
  [429, 'too many calls'],
  [500, 'a fault of the server'],
  [503, 'a server that cannot settle'],
]);

/**
 * Holds a running server against the contract that it publishes, from the outside: every operation, every status that
 * can be brought about, prices, absence, and that nothing but data is billed. Throws where the server cannot be asked
 * at all.
 */
export async function runChecks(
  baseUrl: string,
  { purse, only, now, report }: ChecksOptions,
): Promise<readonly Outcome[]> {
  const target = await openTarget(baseUrl);
  const live = await findLiveValues(target, now());
  const operations = target.contract.operations.filter(({ path }) => only === undefined || path === only);
  if (operations.length === 0) throw new Error(`The contract has no operation at ${only}.`);
  const checks = operations.flatMap((operation) => [
    ...createFreeChecks(target, live, operation),
    ...(operation.priceUsd === undefined ? [] : createPaidChecks(target, live, operation, purse)),
  ]);
  const outcomes: Outcome[] = [];
  for (const check of [...checks, ...createSeenChecks(operations, target.seen)]) {
    const outcome = await tryOut(check);
    outcomes.push(outcome);
    report(outcome);
  }
  return outcomes;
}

async function tryOut({ name, run }: Check): Promise<Outcome> {
  try {
    await run();
    return { name, result: 'passed' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { name, result: error instanceof Untried ? 'untried' : 'failed', why };
  }
}

/** Last of all: whether each status that an operation declares has been seen. */
function createSeenChecks(operations: readonly ContractOperation[], seen: Target['seen']): readonly Check[] {
  return operations.map(({ operationId, path, replies }) => ({
    name: `${path} answers with every status that it declares`,
    run: async () => {
      const missing = [...replies.keys()].filter(
        (status) => !unprovoked.has(status) && seen.get(operationId)?.has(status) !== true,
      );
      if (missing.length > 0) throw new Untried(`Not seen: ${missing.join(', ')}.`);
    },
  }));
}
