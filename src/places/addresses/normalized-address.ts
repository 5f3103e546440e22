/** A house number. A plain number has `low = high`; `3456-58` is low 3456, high 3458, always of the same parity. */
export interface HouseNumber {
  readonly low: number;
  readonly high: number;
  /** Such as `1/2`; empty when there is none. A different fraction is a different house. */
  readonly fraction: string;
  /**
   * Grid form: text that is neither a number nor a range, kept letter by letter. Examples: Wisconsin's `N6W23001`,
   * `123A`, `123-E`, `100-01`, or a list such as `100 & 110`. Empty otherwise. When set, do not compare `low` and
   * `high`: they are its last plain digits, or the ends of a list. `eachHouse` returns the houses.
   */
  readonly grid: string;
}

/** A normalized US street address. Upper case; an empty string means that the part is missing. */
export interface NormalizedAddress {
  readonly number: HouseNumber;
  /** N, S, E, W, NE, NW, SE, SW or empty. */
  readonly preDirectional: string;
  /** Street name without directionals and suffix, such as `9TH`, `ST CLAIR`, `COUNTY RD 12`. */
  readonly street: string;
  /** USPS Publication 28 abbreviation such as `AVE`, or empty. */
  readonly suffix: string;
  readonly postDirectional: string;
  /** Such as `APT 2`, `# A & B`, `FL 1`, `LOT 5`, or empty. */
  readonly unit: string;
  /** Set only for a unit without a designator, such as the 2 of `MAIN ST 2`: it may be something else. */
  readonly isUnitPresumed?: true;
  /** Parts after the street that are not units, if any; see `readBeyond`. Part of the key. */
  readonly beyond?: readonly string[];
  readonly city: string;
  /** Two-letter USPS code. */
  readonly state: string;
  /** Five digits, or empty. */
  readonly zip5: string;
  /**
   * Equal keys mean the same building; units do not count. With a ZIP the city does not count either, since one place
   * has several postal city names; without a ZIP it equals `keyWithoutZip`.
   */
  readonly key: string;
  /** The building by city and state, for comparison with an address without a ZIP. */
  readonly keyWithoutZip: string;
}

/** Reasons why a text is not the address of a property, with advice. */
export const addressFaults = {
  too_long: 'The address is too long: give street, city, state and ZIP in at most 300 characters.',
  no_house_number: 'No house number was found: write the address as "2079 E 9th St, Cleveland, OH 44115".',
  zero_house_number: 'House number 0 marks land without an address: give the number of a building.',
  no_street_name: 'No street name was found after the house number: add the street.',
  no_city: 'The city could not be told from the street: put a comma before the city and after it.',
  no_state: 'No US state was found: end the address with a two-letter state code and, if known, the ZIP.',
  po_box: 'A PO box or rural box receives mail but is no property: give the street address.',
  venue: 'The address names a courthouse or a sale venue: give the address of the property itself.',
} as const;

export type AddressFault = keyof typeof addressFaults;

/** A text that is not the address of a property. */
export interface AddressNotParsed {
  readonly notParsed: AddressFault;
  /** Plain English: what is wrong and what to do. Repeats nothing of the text. */
  readonly message: string;
}

/** Creates the result for a text that is not an address. */
export function addressNotParsed(fault: AddressFault): AddressNotParsed {
  return { notParsed: fault, message: addressFaults[fault] };
}

/** True when the text was parsed. */
export function isNormalizedAddress(address: NormalizedAddress | AddressNotParsed): address is NormalizedAddress {
  return !('notParsed' in address);
}
