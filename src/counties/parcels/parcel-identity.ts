import { v5 } from 'uuid';
import { parcelKey } from '../../places/addresses/parcel.js';
import type { ObservedParcel } from './observed-parcel.js';
import { situsOf } from './situs.js';

/** Namespace of all ids of parcels' rows. Changing it makes every row a new one. */
const namespace = '4f0c1d0e-9a62-4b5d-8c7f-6a1d3f5e2b90';

/** Which parcel a row of a roll is of, and where that lies. */
export interface ParcelIdentity {
  readonly id: string;
  readonly parcelKey: string;
  readonly situs: string | undefined;
}

/**
 * The identity of a row of a roll: its parcel and its situs, so that a roll with several addresses for one parcel keeps
 * them all. Undefined when the parcel number is none.
 */
export function identifyParcel(parcel: ObservedParcel): ParcelIdentity | undefined {
  const key = parcelKey(parcel.countyFips, parcel.parcelId);
  if (key === undefined) return undefined;
  const situs = situsOf(parcel.address);
  return { id: v5(`${key}|${situs ?? ''}`, namespace), parcelKey: key, situs };
}
