import { crashPoints, fates, type CrashPoint, type CrashStep, type Fate } from '../support/crash-messages.js';

/** A payment that is cut off at a step, while its settlement meets a fate. */
export interface Cell {
  readonly step: CrashStep;
  readonly fate: Fate;
}

/** All cells there are. What is not paid is not delivered, so there is no delivery to be noted. */
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
 * Shares cells out among as few lives of a server as there must be: each life ends at the step of its last cell, and
 * the payments of the others are left standing at theirs until then. Behind one that keeps the relayer waiting there is
 * at most one that does not get as far as the relayer.
 */
export function planLives(all: readonly Cell[]): readonly (readonly Cell[])[] {
  const instant = all.filter(({ step }) => pointOf(step) === 'handler');
  const blocking = all.filter(blocksRelayer);
  const others = all.filter((cell) => !instant.includes(cell) && !blocking.includes(cell));
  const count = Math.max(blocking.length, instant.length, 1);
  return Array.from({ length: count }, (_, life) =>
    [others, blocking, instant].flatMap((cells) => cells.filter((_cell, index) => index % count === life)),
  );
}

/** Behind a transaction that is not written down, or does not come, no other is mined. */
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
