import type { Evidence } from './resolve-open-payment.js';

/** The evidence where there is no chain to ask: nothing is proven. */
export const noEvidence: Evidence = {
  find: async () => ({ verdict: 'unknown' }),
  findMany: async (questions) => questions.map(() => ({ verdict: 'unknown' })),
};
