/** What a state's law takes out of what is sold. */
export interface StatePolicy {
  /** Two-letter USPS code. */
  readonly state: string;
  /** First two digits of its counties' FIPS codes. */
  readonly stateFips: string;
  /** Rows of names and addresses from public records are suppressed whole. */
  readonly suppressesSignals: boolean;
  /** Auctions are shown without their defendant. */
  readonly suppressesDefendants: boolean;
  /** The law. */
  readonly basis: string;
}

/** The policies in force; a new set gets a new version. Source: docs/decisions/policy.md. */
export const statePolicies: { readonly version: string; readonly states: readonly StatePolicy[] } = {
  version: 'policy-1.0.0',
  states: [
    { state: 'KS', stateFips: '20', suppressesSignals: true, suppressesDefendants: true, basis: 'K.S.A. 45-230' },
  ],
};

/** First two digits of the FIPS codes of counties whose signals are suppressed. */
export const suppressedSignalStates: readonly string[] = statePolicies.states
  .filter(({ suppressesSignals }) => suppressesSignals)
  .map(({ stateFips }) => stateFips);

/** The policy for a record, by its state or its county, whichever has one; undefined where there is none. */
export function findStatePolicy(place: {
  readonly state: string;
  readonly countyFips: string;
}): StatePolicy | undefined {
  return statePolicies.states.find(
    ({ state, stateFips }) => place.state === state || place.countyFips.startsWith(stateFips),
  );
}
