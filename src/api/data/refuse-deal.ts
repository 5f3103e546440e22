import { ServiceError, type NextStep } from '../../errors.js';

/** Why a report is not sold of a deal that is not in the feed; unbilled. */
export type RefuseMissing = (id: string) => Promise<ServiceError>;

/** Where every deal id is, free. */
export const idIndex = '/api/deals/ids';
export const lookUpIds: NextStep = { title: 'Every deal id, free', url: idIndex };

/** Tells a deal that is withheld from one that is not known. */
export function createRefuseMissing(isSuppressed: (id: string) => Promise<boolean>): RefuseMissing {
  return async (id) => ((await isSuppressed(id)) ? suppressed('deal') : unknownDeal());
}

/** A property that must not be shown; unbilled, and told only to whoever brings a payment. */
export function suppressed(what: 'deal' | 'address'): ServiceError {
  return new ServiceError('suppressed', `This ${what} is withheld and is not sold any more. Nothing was billed.`);
}

function unknownDeal(): ServiceError {
  return new ServiceError('unknown_deal', 'No deal with this id is in the feed. Nothing was billed.', {
    next: [lookUpIds],
  });
}
