/** A query without matches for each paid operation, by path. The query is valid, so that the reply is 404. */
export const nothingMatches: Readonly<Record<string, string>> = {
  '/api/deals': '/api/deals?state=WY',
  '/api/deals/hot': '/api/deals/hot?min_price=999999999',
  '/api/deals/basic': '/api/deals/basic?min_price=999999999',
  '/api/deals/{id}/report': '/api/deals/3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11/report',
  '/api/signals': '/api/signals?county=Nowhere',
  '/api/auctions': '/api/auctions?min_appraised=999999999',
  '/api/leads': '/api/leads?state=WY',
  '/api/events': '/api/events?min_price=999999999',
  '/api/leads/exclusive': '/api/leads/exclusive?lead_type=tax_delinquent_owner&min_score=100',
  '/api/lookup': '/api/lookup?address=98765+Nowhere+Ave%2C+Cleveland%2C+OH+44105',
};
