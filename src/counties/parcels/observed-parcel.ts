import type { Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';

/**
 * A parcel as the county's roll states it: location and owner. Completes signals that lack an address or an assessed
 * value.
 */
export interface ObservedParcel {
  /** The roll's key of the row. */
  readonly sourceKey: string;
  /** Five-digit county FIPS code. */
  readonly countyFips: string;
  /** As the source writes it. */
  readonly parcelId: string;
  /** Situs street address without city, state and ZIP; absent `no_situs_address` when the parcel has none. */
  readonly address: Maybe<string>;
  readonly city: Maybe<string>;
  /** Five digits. */
  readonly zip: Maybe<string>;
  readonly ownerName: Maybe<string>;
  /** USD. */
  readonly assessedValue: Maybe<DecimalText>;
}
