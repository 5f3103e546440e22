import { crashPoints, fates, type CrashPoint, type CrashStep, type Fate } from '../support/crash-messages.js';

/** A payment that is interrupted at a step, with the outcome of its settlement. */
export interface Cell {
  readonly step: CrashStep;
  readonly fate: Fate;
}

/** All cells. An unpaid reply is not delivered, so it has no delivery step. */
export const cells: readonly Cell[] = fates.flatMap((fate) =>
  crashPoints
    .filter((point) => point !== 'note' || isPaid(fate))
    .flatMap((point) => [{ step: `before ${point}`, fate } as const, { step: `after ${point}`, fate } as const]),
);

/** Whether the buyer's money moves in the end. */
export function isPaid(fate: Fate): boolean {
  return fate !== 'failed' && fate !== 'lost';
}

/**
 * Groups cells into as few server lives as possible. Each life ends at the step of its last cell, while the payments of
 * the others wait at their steps. A cell that blocks the relayer comes last: behind its nonce nothing is sold.
 */
export function planLives(all: readonly Cell[]): readonly (readonly Cell[])[] {
  const instant = all.filter(({ step }) => pointOf(step) === 'handler');
  const blocking = all.filter(blocksRelayer);
  const others = all.filter((cell) => !instant.includes(cell) && !blocking.includes(cell));
  const count = Math.max(blocking.length, instant.length, 1);
  return Array.from({ length: count }, (_, life) =>
    [instant, others, blocking].flatMap((cells) => cells.filter((_cell, index) => index % count === life)),
  );
}

/** While a transaction is not written down or does not arrive, none behind it is mined. */
function blocksRelayer({ step, fate }: Cell): boolean {
  const point = pointOf(step);
  if (point === 'store' || point === 'send') return true;
  return fate === 'lost' && point !== 'verify' && point !== 'handler' && point !== 'claim' && step !== 'before settle';
}

function pointOf(step: CrashStep): CrashPoint {
  return step.split(' ')[1] as CrashPoint;
}

export function nameOf({ step, fate }: Cell): string {
  return `${step}, ${fate}`;
}
