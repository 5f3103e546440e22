/** A record of the service. `absent` gives the reason for each null field. */
export interface WithAbsences {
  readonly absent: object;
}

/**
 * The reason why a field of a record is null, typed by the contract: `absence(deal, 'dscr')?.reason`.
 * @returns undefined when the field has a value
 */
export function absence<Item extends WithAbsences, Field extends keyof Item['absent']>(
  record: Item,
  field: Field,
): Item['absent'][Field] | undefined {
  return (record.absent as Item['absent'])[field];
}
