import { describeFailure } from './describe-failure.js';
import type { Job, JobFigures } from './job.js';
import type { JobRunsStore, SlotClaim } from './job-runs-store.js';

export interface SlotRun {
  readonly store: JobRunsStore;
  readonly job: string;
  readonly slot: Date;
  /** At most one slot of a lane runs at a time, over all instances. Default: a lane of the job's own. */
  readonly lane?: string;
  /** Name of this process; never shared with another process or a later start. */
  readonly owner: string;
  /** Without renewal for this long another instance takes over the slot. Renewed while the job runs. */
  readonly leaseMs: number;
  readonly maxAttempts: number;
  /** Pause after the first failure; doubles after each further one. Default 60,000. */
  readonly retryDelayMs?: number;
  readonly now: () => Date;
  /** Aborts when the process is stopping. A job that ends because of it has not failed. */
  readonly signal?: AbortSignal;
  readonly run: Job['run'];
}

export type SlotOutcome =
  | { readonly status: 'succeeded'; readonly summary: JobFigures; readonly attempt: number }
  /** `retryMs`: the pause before the next attempt; absent after the last one. */
  | { readonly status: 'failed'; readonly error: string; readonly attempt: number; readonly retryMs?: number }
  /** The process is stopping; another instance, or the next start, runs the slot again. */
  | { readonly status: 'interrupted' }
  /** Another instance took over the slot: its outcome counts, this one is discarded. */
  | { readonly status: 'lost' }
  /** Not run here: another owner runs it, or its next attempt is not due. */
  | { readonly status: 'busy' }
  /** Not run here: the slot succeeded, or failed for the last time. */
  | { readonly status: 'over' };

/**
 * Runs a slot of a job until it has succeeded once, over all instances that share the database. Only the instance that
 * holds the claim may record its result. After a process dies, another takes over the slot when its lease ends. A
 * failed slot is retried, up to `maxAttempts` attempts in all.
 *
 * @throws when the database is unavailable
 */
export async function runOncePerSlot(slotRun: SlotRun): Promise<SlotOutcome> {
  const { store, job, slot, lane = job, owner, leaseMs, maxAttempts } = slotRun;
  const result = await store.claim({ job, slot, lane, owner, leaseMs, maxAttempts });
  if (result.status === 'busy') return { status: 'busy' };
  if (result.status !== 'claimed') return { status: 'over' };
  return runClaimed(slotRun, result.claim);
}

/** True when the slot needs no more attention from any instance. */
export function isOver(outcome: SlotOutcome): boolean {
  return (
    outcome.status === 'over' ||
    outcome.status === 'succeeded' ||
    (outcome.status === 'failed' && outcome.retryMs === undefined)
  );
}

async function runClaimed(slotRun: SlotRun, claim: SlotClaim): Promise<SlotOutcome> {
  const { store, slot, now, run, signal: stop } = slotRun;
  const lost = new AbortController();
  const signal = stop === undefined ? lost.signal : AbortSignal.any([stop, lost.signal]);
  let progress: JobFigures | undefined;
  const stopRenewing = keepLease(slotRun, claim, () => progress, lost);
  let outcome: SlotOutcome;
  try {
    const onProgress = (figures: JobFigures): void => {
      signal.throwIfAborted();
      progress = figures;
    };
    const summary = await run({ slot, now, signal, onProgress });
    outcome = { status: 'succeeded', summary, attempt: claim.attempt };
  } catch (error) {
    outcome = stop?.aborted ? { status: 'interrupted' } : failure(slotRun, claim, error);
  }
  await stopRenewing();
  const kept = await store.finish(claim, resultOf(outcome));
  return kept ? outcome : { status: 'lost' };
}

function failure({ maxAttempts, retryDelayMs = 60_000 }: SlotRun, { attempt }: SlotClaim, error: unknown): SlotOutcome {
  const failed = { status: 'failed', error: describeFailure(error), attempt } as const;
  if (attempt >= maxAttempts) return failed;
  return { ...failed, retryMs: retryDelayMs * 2 ** (attempt - 1) };
}

function resultOf(outcome: SlotOutcome): Parameters<JobRunsStore['finish']>[1] {
  if (outcome.status === 'succeeded') return { state: 'succeeded', summary: outcome.summary };
  if (outcome.status === 'failed') {
    return { state: 'failed', error: outcome.error, retryMs: outcome.retryMs ?? 0, counts: true };
  }
  return { state: 'failed', error: 'The process stopped before the job was done.', retryMs: 0, counts: false };
}

/** Renews the lease three times per term. Only a void claim loses the slot, not a database that does not answer. */
function keepLease(
  slotRun: SlotRun,
  claim: SlotClaim,
  progress: () => JobFigures | undefined,
  lost: AbortController,
): () => Promise<void> {
  let renewal = Promise.resolve();
  let renewing = false;
  const renew = async (): Promise<void> => {
    renewing = true;
    try {
      const good = await slotRun.store.renew(claim, slotRun.leaseMs, progress());
      if (!good) lost.abort(new Error('Another instance took this slot over.'));
    } catch {
      // The next renewal retries; the final write checks the claim anyway.
    } finally {
      renewing = false;
    }
  };
  const timer = setInterval(() => {
    if (!renewing) renewal = renew();
  }, slotRun.leaseMs / 3);
  return async () => {
    clearInterval(timer);
    await renewal;
  };
}
