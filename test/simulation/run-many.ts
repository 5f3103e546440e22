import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { FaultCounts } from './faults.js';
import { runHistory, type HistoryOptions } from './history.js';

/** The histories to run: seeds from `from`, of which a share takes every `shares`th. */
export interface Plan {
  readonly histories: number;
  readonly from: number;
  readonly share: number;
  readonly shares: number;
}

export interface Failure {
  readonly seed: number;
  readonly promise: string;
  readonly detail: string;
}

export interface Outcome {
  readonly failures: readonly Failure[];
  readonly counts: FaultCounts;
}

/** The progress of a plan; the content of a file to resume from. */
interface Progress {
  readonly plan: Plan;
  readonly nextSeed: number;
  readonly failures: readonly Failure[];
  readonly counts: readonly (readonly [string, number])[];
}

const reportMs = 10_000;

/** Runs many histories, reports progress, and saves it in a file, so that a run may be interrupted anywhere. */
export async function runMany(
  options: Omit<HistoryOptions, 'seed' | 'counts' | 'tell'> & {
    readonly plan: Plan;
    readonly file: string | undefined;
    readonly report: (line: string) => void;
  },
): Promise<Outcome> {
  const { plan, file, report, ...changes } = options;
  const before = file === undefined ? undefined : readProgress(file, plan);
  const failures = [...(before?.failures ?? [])];
  const counts: FaultCounts = new Map(before?.counts);
  const firstSeed = before?.nextSeed ?? plan.from + plan.share - 1;
  const endSeed = plan.from + plan.histories;
  const startedMs = performance.now();
  let reportedMs = startedMs;

  function keep(nextSeed: number): void {
    if (file === undefined) return;
    const progress: Progress = { plan, nextSeed, failures, counts: [...counts] };
    writeFileSync(`${file}.new`, JSON.stringify(progress));
    renameSync(`${file}.new`, file);
  }

  for (let seed = firstSeed; seed < endSeed; seed += plan.shares) {
    const violation = await runHistory({ seed, counts, ...changes });
    if (violation) failures.push({ seed, promise: violation.promise, detail: violation.detail });
    if (performance.now() - reportedMs < reportMs) continue;
    reportedMs = performance.now();
    keep(seed + plan.shares);
    const done = (seed - firstSeed) / plan.shares + 1;
    const rate = (done / (reportedMs - startedMs)) * 1000;
    const leftSeconds = Math.ceil((endSeed - seed) / plan.shares / rate);
    report(
      `share ${plan.share}/${plan.shares}: history ${seed}, ${rate.toFixed(0)}/s, ${leftSeconds} s left, ${failures.length} broken`,
    );
  }
  keep(endSeed + plan.share - 1);
  return { failures, counts };
}

/** @throws Error when the file belongs to another plan */
function readProgress(file: string, plan: Plan): Progress | undefined {
  if (!existsSync(file)) return undefined;
  const progress = JSON.parse(readFileSync(file, 'utf8')) as Progress;
  if (JSON.stringify(progress.plan) === JSON.stringify(plan)) return progress;
  throw new Error(`${file} holds another run: ${JSON.stringify(progress.plan)}. Name another file, or delete it.`);
}
