/** What the enumerations and fields of a deal record mean, for agents that read metadata before the contract. */
export const recordSchemaNotes: Readonly<Record<string, string>> = {
  id: 'Names the deal in /api/deals/{id}/report; stable for the same property.',
  absent: 'For every null field the reason why it is absent; empty when all is there.',
  cap_rate: 'Advertised cap rate, percent.',
  noi_source: 'stated by the listing, derived_from_advertised_cap, or underwritten here.',
  market_rent_2br:
    'Two-bedroom rent that HUD publishes: the Small Area FMR of the ZIP, else the FMR of the county; the rental rationale names basis and fiscal year.',
  cap_rate_underwritten: 'Cap rate under the declared assumptions on HUD rents, percent.',
  cap_gap_pct:
    'Claimed cap minus underwritten cap, percentage points; positive: the broker claims more, negative: hidden upside.',
  dscr: 'Debt-service coverage of noi under the declared assumptions. Where noi is derived from the advertised cap it only restates that cap.',
  dscr_status: 'computed, insufficient_data, or not_applicable (a loan under the least one, or a cash-only auction).',
  underwrite_reliability:
    'ok; proxy_out_of_range: the price per unit is too high for the rent proxy, do not trust the underwritten cap; unknown: rent, units or price is absent.',
  deal_score: '0 to 100: yield 40, DSCR 25, motivation 20, distress 15. The feed is sorted by it.',
  confidence_score: 'Share of the record that is computed or verified rather than assumed, 0 to 1.',
  rental_status: 'Hot, Warm or Pass: verdict of the rental path; also the status filter.',
  wholesale_status: 'Hot, Warm or Pass: verdict of the wholesale path.',
  creative_status: 'Hot, Warm or Pass: verdict of the creative-finance path.',
  rationales: 'Per path the inputs, thresholds and checks; the status follows from inputs and thresholds alone.',
  price_reduction_pct: "Price drop seen across this service's own runs; absent before a second observation.",
  days_on_feed: 'Whole days since this service first sourced the listing; not market days.',
  data_quality: 'What a careful reader should know, such as hud_rent_stale or units_suspect.',
};
