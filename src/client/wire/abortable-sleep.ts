import { createPurchaseError } from '../error-classes.js';

/** @throws PurchaseError `aborted` after the signal has aborted */
export function assertGoesOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw createPurchaseError('aborted', 'The call was ended by its signal.', { cause: signal.reason });
}

/** A pause that ends with the signal. @throws PurchaseError `aborted` */
export function createAbortableSleep(
  sleep: (ms: number) => Promise<void>,
  signal: AbortSignal | undefined,
): (ms: number) => Promise<void> {
  if (signal === undefined) return sleep;
  return async (ms) => {
    assertGoesOn(signal);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    signal.addEventListener('abort', end);
    await Promise.race([sleep(ms), ended]).finally(() => signal.removeEventListener('abort', end));
    assertGoesOn(signal);
  };
}
