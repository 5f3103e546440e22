import { newestOf, type InFlight } from './nonce-book.js';

/** So long the oldest transaction in flight may wait before nothing more is sold behind it. */
export const stuckAfterMs = 30_000;

/**
 * Which transaction has waited for half a minute, and what was tried, for the operator.
 *
 * @param stuck.sent how often it was handed to the node; undefined where another process did that
 */
export function describeStuck(stuck: Pick<InFlight, 'nonce' | 'variants'> & { readonly sent?: number }): string {
  const { nonce, variants, sent } = stuck;
  const { hash, call, fees } = newestOf(stuck);
  const raises = variants.length - 1;
  const tried = [
    sent !== undefined && `sent ${times(sent)}`,
    raises > 0 && `its fee raised ${times(raises)}, to ${Number(fees.maxFeePerGas) / 1e9} gwei`,
    call.data === '0x' && 'given up for a transfer of nothing',
  ].filter((each) => each !== false);
  const what = tried.length === 0 ? 'no higher fee was offered yet' : tried.join(', ');
  return `The transaction ${hash} of nonce ${nonce} has waited half a minute to be mined: ${what}.`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
