import { BaseError, HttpRequestError, TimeoutError } from 'viem';

/** True where the node did not answer, as opposed to answering with an error of its own. */
export function isTransportFault(error: unknown): boolean {
  const isFault = (cause: unknown): boolean => cause instanceof HttpRequestError || cause instanceof TimeoutError;
  return !(error instanceof BaseError) || error.walk(isFault) !== null;
}
