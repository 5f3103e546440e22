/** Why each number of `uw-2.0.0` is what it is, by its name in the contract. An assumption is named as one. */
export const grounds: Readonly<Record<string, string>> = {
  vacancy_pct:
    'Lenders take the greater of actual, market and 5% (NetLeaseX guidelines; brokers 5-10%). 5% and 2% collection loss: assumption.',
  vacancy_min_pct: 'The least that lenders take.',
  utility_allowances:
    'HUD rents include utilities (24 CFR 888.113, 982.517). Between apartment schedules on form HUD-52667: Longview WA 2018, Vermont 2017, Minden LA 2022. Assumption.',
  other_income_per_unit: 'None is assumed.',
  taxes_pct:
    '6.5 x effective rate on owner-occupied homes (Tax Foundation, from Census ACS); 6.5 is price / income at a cap of 8.5% with expenses near 45%. One class up where rentals are taxed higher: AL (Code 40-8-1), IN (Code 6-1.1-20.6), MI (MCL 211.7cc), SC (Code 12-43-220), TN (Code 67-5-801).',
  insurance_per_unit:
    'Monthly cost per unit in 2024: median 55.88, 75th percentile 84.32 (Federal Reserve, FEDS Notes 2025-09-19). LA, FL and TX lead (HelloData 2023); AL, MS and OK: assumption.',
  management_pct: 'Practitioners on small buildings 8-10%; the floor of agencies 3-5%.',
  repairs_per_unit:
    'Practitioners 750 in 2014, about 1,040 today (Wall Street Oasis); the steps by age: assumption. Unknown counts as old.',
  utilities_per_unit: 'Practitioners about 1,000; Minden LA 2022, two bedrooms, 73 a month.',
  other_per_unit: 'Assumption.',
  reserves_per_unit: 'Lenders at least 250 (Fannie Mae DUS term sheets), older buildings more: assumption.',
  ltv_pct: 'Agencies up to 80.',
  amortisation_years: 'Agencies up to 30.',
  min_dscr: 'Fannie Mae Small Loans 1.25; Freddie Mac Small Balance Loans 1.25 in standard markets.',
  min_dscr_nonmetropolitan: 'Freddie Mac Small Balance Loans 1.30 in small and 1.40 in very small markets.',
  target_cap_pct: 'Assumption; the threshold of the hot feed.',
  min_loan: 'Lenders make no smaller ones: assumption.',
  closing_costs_pct: 'Assumption.',
  max_rent_multiple: 'Assumption.',
  unchecked_noi_share_pct: 'Assumption.',
  offer_opening_discount_pct: 'Assumption.',
  offer_discount_per_motivation_pct: 'Assumption.',
  offer_motivation_max: 'Assumption.',
  offer_step: 'Convention.',
};
