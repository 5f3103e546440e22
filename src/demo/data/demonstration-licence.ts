/** The licence of every fictional source: its rows can never be sold for real money. */
export function demonstrationLicence(attribution: string) {
  return { class: 'demonstration', mayStore: true, mayResell: true, attribution } as const;
}
