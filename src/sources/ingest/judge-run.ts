import { Decimal } from 'decimal.js';
import type { EarlierRun } from './run-store.js';

/** The share of rows that a source may lose between two complete runs. */
const maxShrink = '0.40';
/** How far apart two runs may lie in rows, and must lie in time, for the second to confirm the first. */
const agreement = '0.10';
const minConfirmationMs = 12 * 3600 * 1000;
/** From so many rows on an empty delivery is a fault: it looks the same each time, so that it cannot confirm itself. */
const minRowsNeverGone = 10;

type JudgedRun = Pick<EarlierRun, 'status' | 'startedAt' | 'etag' | 'accepted'>;

export interface RunToJudge {
  readonly startedAt: Date;
  readonly etag: string | undefined;
  readonly accepted: number;
  /** The latest run that was accepted as the source's complete set. */
  readonly baseline: JudgedRun | undefined;
  /** The run read to the end before this one. */
  readonly previous: JudgedRun | undefined;
}

/**
 * Whether a run that read its source to the end is believed. One with over 40% fewer readable rows than the last
 * believed run is quarantined: what it no longer shows stays in force. A quarantine ends when the operator says so, or
 * when a second run, at least 12 hours later and from another delivery, shows the same size within 10%. That ten rows
 * or more are all gone is believed on the operator's word alone.
 */
export function judgeRun({ startedAt, etag, accepted, baseline, previous }: RunToJudge): 'completed' | 'quarantined' {
  if (baseline === undefined || !isUnder(accepted, baseline.accepted, new Decimal(1).minus(maxShrink)))
    return 'completed';
  if (previous?.status !== 'quarantined') return 'quarantined';
  if (accepted === 0 && baseline.accepted >= minRowsNeverGone) return 'quarantined';
  const isLater = startedAt.getTime() - previous.startedAt.getTime() >= minConfirmationMs;
  const isOther = etag === undefined || etag !== previous.etag;
  const isSameSize = new Decimal(accepted)
    .minus(previous.accepted)
    .abs()
    .lte(new Decimal(agreement).times(previous.accepted));
  return isLater && isOther && isSameSize ? 'completed' : 'quarantined';
}

function isUnder(count: number, of: number, share: Decimal): boolean {
  return share.times(of).gt(count);
}
