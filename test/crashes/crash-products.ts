/** What is sold while the server is killed. */
export interface CrashProduct {
  readonly path: string;
  /** Something else at the same price, which the payment is not for. */
  readonly other: string;
  /** Whether it is a lead, to one buyer alone. */
  readonly isExclusive: boolean;
}

export const hotDeals: CrashProduct = {
  path: '/api/deals/hot',
  other: '/api/deals/hot?limit=1',
  isExclusive: false,
};

export const exclusiveLead: CrashProduct = {
  path: '/api/leads/exclusive',
  other: '/api/leads/exclusive?min_score=1',
  isExclusive: true,
};
