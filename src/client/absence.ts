/** A record of the service: where a field is null, `absent` says why. */
export interface WithAbsences {
  readonly absent: object;
}

/**
 * Why a field of a record is null, typed as the contract has it: `absence(deal, 'dscr')?.reason`.
 *
 * @returns undefined when the field is there
 */
export function absence<Item extends WithAbsences, Field extends keyof Item['absent']>(
  record: Item,
  field: Field,
): Item['absent'][Field] | undefined {
  return (record.absent as Item['absent'])[field];
}
