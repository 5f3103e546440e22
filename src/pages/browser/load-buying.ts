import type * as buying from './buy.js';

const buyUrl = '/assets/buy.js';

/** The client that pays, loaded when it is wanted. */
export const loadBuying = (): Promise<typeof buying> => import(buyUrl) as Promise<typeof buying>;
