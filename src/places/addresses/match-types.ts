/** Version of the rules by which two addresses match; a change of rule or confidence is a new one. */
export const matchVersion = 'match-2.0.0';

/** The kinds of agreement between two addresses, with the confidence of each; docs/decisions/addresses.md. */
export const matchConfidences = {
  parcel_exact: '1.00',
  exact_normalized: '0.98',
  exact_unit: '0.98',
  exact_no_zip: '0.93',
  range_equal: '0.93',
  range_contains: '0.88',
  building_level: '0.88',
  suffix_missing: '0.85',
  street_alias: '0.85',
  fuzzy_trigram: '0.70',
  review_suffix_conflict: '0.50',
  review_postdir: '0.50',
  review_predir: '0.50',
  review_unit: '0.50',
  review_subdivision: '0.50',
  review_city_conflict: '0.50',
  several_properties: '0.50',
} as const;

export type MatchType = keyof typeof matchConfidences;

/** Two addresses agree: how, and with what confidence ("0.00" to "1.00"). */
export interface AddressMatch {
  readonly matchType: MatchType;
  readonly confidence: string;
}

const evidenceFrom = 0.85;

/** True when the match counts as evidence; a weaker match is only for a person to review. */
export function isEvidence(match: AddressMatch): boolean {
  return Number(match.confidence) >= evidenceFrom;
}
