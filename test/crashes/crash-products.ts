/** The product that is sold while the server is killed. */
export interface CrashProduct {
  readonly path: string;
  /** Another product at the same price, which the payment does not cover. */
  readonly other: string;
  /** True for an exclusive lead. */
  readonly isExclusive: boolean;
}

export const hotDeals: CrashProduct = {
  path: '/api/deals/hot',
  other: '/api/deals/hot?limit=1',
  isExclusive: false,
};

export const allDeals: CrashProduct = {
  path: '/api/deals',
  other: '/api/deals?limit=1',
  isExclusive: false,
};

export const exclusiveLead: CrashProduct = {
  path: '/api/leads/exclusive',
  other: '/api/leads/exclusive?min_score=1',
  isExclusive: true,
};
