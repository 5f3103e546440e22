import { absent, known } from '../../../src/absence.js';
import type { ObservedParcel } from '../../../src/counties/parcels/observed-parcel.js';

/** The roll's row of the parcel in `observeSignal`; override the relevant fields. */
export function observeParcel(overrides: Partial<ObservedParcel> = {}): ObservedParcel {
  return {
    sourceKey: 'p1',
    countyFips: '39035',
    parcelId: '10020001',
    address: known('200 Roll St'),
    city: known('Cleveland'),
    zip: known('44109'),
    ownerName: absent('not_published_by_source'),
    assessedValue: known('80000'),
    ...overrides,
  };
}
