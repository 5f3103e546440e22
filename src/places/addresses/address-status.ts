/** The state of a public record's street address. Source: docs/decisions/addresses.md. */
export const addressStatuses = [
  'complete',
  'pending_parcel_lookup',
  'parcel_lookup_failed',
  'no_situs_address',
  'ambiguous',
  'suppressed',
] as const;
export type AddressStatus = (typeof addressStatuses)[number];
