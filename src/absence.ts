/**
 * Why a value is absent. Closed list; each record type of the contract declares the subset that can occur in it.
 * Source of the rule: every absent value carries a typed reason.
 */
export const absenceReasons = [
  'not_stated_by_source',
  'not_published_by_source',
  'not_collected',
  'insufficient_inputs',
  'not_applicable',
  'proxy_out_of_range',
  'no_hud_rent',
  'no_arv_basis',
  'loan_terms_unknown',
  'pending_parcel_lookup',
  'parcel_lookup_failed',
  'ambiguous_match',
  'below_match_threshold',
  'suppressed_by_policy',
  'suppressed_by_owner',
  'source_unavailable',
  'parse_failed',
  'stale_source',
  'not_yet_observed',
  'no_situs_address',
] as const;

export type AbsenceReason = (typeof absenceReasons)[number];

/** A value that is there. */
export interface Known<T> {
  readonly value: T;
}

/** A value that is not there, and why. */
export interface Absent {
  readonly absent: AbsenceReason;
}

/** A value, or the typed reason why there is none. Never null, never undefined, never a guess. */
export type Maybe<T> = Known<T> | Absent;

/** Wraps a value that is there. */
export function known<T>(value: T): Known<T> {
  return { value };
}

/** States why a value is not there. */
export function absent(reason: AbsenceReason): Absent {
  return { absent: reason };
}

/** True when the value is there. */
export function isKnown<T>(maybe: Maybe<T>): maybe is Known<T> {
  return 'value' in maybe;
}

/** The value, or undefined when it is absent. */
export function valueOf<T>(maybe: Maybe<T>): T | undefined {
  return isKnown(maybe) ? maybe.value : undefined;
}
