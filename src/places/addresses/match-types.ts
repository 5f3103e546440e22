/** How two addresses can agree, with the confidence that each kind deserves; docs/decisions/addresses.md. */
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
  review_unit: '0.50',
  review_subdivision: '0.50',
  several_properties: '0.50',
} as const;

export type MatchType = keyof typeof matchConfidences;

/** That two addresses agree, how, and how far that is to be trusted ("0.00" to "1.00"). */
export interface AddressMatch {
  readonly matchType: MatchType;
  readonly confidence: string;
}

const evidenceFrom = 0.85;

/** True when the match counts as evidence; below, it is only a possible match for a person to look at. */
export function isEvidence(match: AddressMatch): boolean {
  return Number(match.confidence) >= evidenceFrom;
}
