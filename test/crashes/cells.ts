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
 * Shares cells out among as few lives of a server as there must be: each life ends at the step of its last cell, and the
 * payments of the others are left standing at theirs until then.
 */
export function planLives(all: readonly Cell[]): readonly (readonly Cell[])[] {
  const waiting = all.filter(letsOthersPass);
  const last = all.filter((cell) => !letsOthersPass(cell));
  if (last.length === 0) return [waiting];
  return last.map((cell, life) => [...waiting.filter((_, index) => index % last.length === life), cell]);
}

/** A page is made at once, and behind a transaction that is not written down, or does not come, no other is mined. */
function letsOthersPass({ step, fate }: Cell): boolean {
  const point = step.split(' ')[1] as CrashPoint;
  if (point === 'handler' || point === 'store' || point === 'send') return false;
  return fate !== 'lost' || point === 'verify' || point === 'claim' || step === 'before settle';
}

export function nameOf({ step, fate }: Cell): string {
  return `${step}, ${fate}`;
}
