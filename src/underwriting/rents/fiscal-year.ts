/**
 * HUD's fiscal year in force at a time: FY N runs from October 1 of N-1, in UTC. FY2027 is in force since 2026-10-01.
 * Source of the rule: HUD makes its Fair Market Rents effective on October 1 of each year (24 CFR part 888).
 */
export function fiscalYearInForce(on: Date): number {
  const october = 9;
  return on.getUTCMonth() >= october ? on.getUTCFullYear() + 1 : on.getUTCFullYear();
}
