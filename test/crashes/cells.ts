import { crashPoints, fates, type CrashPoint, type CrashStep, type Fate } from '../support/crash-messages.js';

/** A payment that is interrupted at a step, with the outcome of its settlement. */
export interface Cell {
  readonly step: CrashStep;
  readonly fate: Fate;
}

export const cells: readonly Cell[] = fates.flatMap((fate) =>
  crashPoints
    .filter((point) => isMet(point, fate))
    .flatMap((point) => [{ step: `before ${point}`, fate } as const, { step: `after ${point}`, fate } as const]),
);

/** An unpaid reply is not delivered. Only a restored ledger is rebuilt. */
function isMet(point: CrashPoint, fate: Fate): boolean {
  if (point === 'note') return isPaid(fate);
  if (point === 'give-up') return fate !== 'restored';
  return point !== 'rebuild' || fate === 'restored';
}

/** Whether the buyer's money moves in the end. */
export function isPaid(fate: Fate): boolean {
  return fate !== 'failed' && fate !== 'lost';
}

/**
 * Groups cells into as few server lives as possible. Each life ends at the step of its last cell, while the payments of
 * the others wait at their steps. A cell that blocks the relayer comes last: behind its nonce nothing is sold. A ledger
 * is restored for all payments of a life.
 */
export function planLives(all: readonly Cell[]): readonly (readonly Cell[])[] {
  const restored = all.filter(({ fate }) => fate === 'restored');
  return [...planUniformLives(all.filter((cell) => !restored.includes(cell))), ...planUniformLives(restored)];
}

function planUniformLives(all: readonly Cell[]): readonly (readonly Cell[])[] {
  const rebuilds = all.filter(({ step }) => pointOf(step) === 'rebuild');
  const instant = all.filter(({ step }) => pointOf(step) === 'handler');
  const blocking = all.filter(blocksRelayer);
  const others = all.filter((cell) => ![rebuilds, instant, blocking].some((group) => group.includes(cell)));
  const count = Math.max(rebuilds.length, instant.length, blocking.length, Math.min(others.length, 1));
  return Array.from({ length: count }, (_, life) =>
    [rebuilds, instant, others, blocking].flatMap((cells) => cells.filter((_cell, index) => index % count === life)),
  );
}

/** While a transaction is not written down or does not arrive, none behind it is mined. */
function blocksRelayer({ step, fate }: Cell): boolean {
  const point = pointOf(step);
  if (point === 'store' || point === 'send' || point === 'give-up') return true;
  return fate === 'lost' && point !== 'verify' && point !== 'handler' && point !== 'claim' && step !== 'before settle';
}

export function pointOf(step: CrashStep): CrashPoint {
  return step.split(' ')[1] as CrashPoint;
}

/** How long a payment may be charged, in seconds. */
export function windowOf({ step, fate }: Cell): number {
  // A nonce is given up after 300 s, with time left to pay, or when the window ends.
  if (isPaid(fate)) return 900;
  return pointOf(step) === 'give-up' ? 200 : 340;
}

/** How far the clock moves once a transaction is forgotten: past the wait for its proof, or until it is given up. */
export function forgottenSecondsOf(cell: Cell): number {
  return pointOf(cell.step) === 'give-up' ? Math.min(windowOf(cell), 300) + 1 : 31;
}

export function nameOf({ step, fate }: Cell): string {
  return `${step}, ${fate}`;
}
