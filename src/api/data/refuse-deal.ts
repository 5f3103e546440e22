import { ServiceError, type NextStep } from '../../errors.js';

/** The error for a report of a deal that is not in the feed. Not billed. */
export type RefuseMissing = (id: string) => Promise<ServiceError>;

/** The free list of every deal id. */
export const idIndex = '/api/deals/ids';
export const lookUpIds: NextStep = { title: 'Every deal id, free', url: idIndex };

/** Distinguishes a suppressed deal from an unknown one. */
export function createRefuseMissing(isSuppressed: (id: string) => Promise<boolean>): RefuseMissing {
  return async (id) => ((await isSuppressed(id)) ? suppressed('deal') : unknownDeal());
}

/** A suppressed property. Not billed, and revealed only to a caller with a payment. */
export function suppressed(what: 'deal' | 'address'): ServiceError {
  return new ServiceError('suppressed', `This ${what} is suppressed and is not sold any more. Nothing was billed.`);
}

function unknownDeal(): ServiceError {
  return new ServiceError('unknown_deal', 'No deal with this id is in the feed. Nothing was billed.', {
    next: [lookUpIds],
  });
}
