import { v5 } from 'uuid';
import { parcelKey } from '../../places/addresses/parcel.js';
import type { ObservedSignal } from './signal.js';

/** Namespace of all signal ids. Changing it changes every id that was ever published: never do. */
const namespace = '2d3c8a51-7f1b-4a0e-9d36-58c1f0e7b6a4';

/** Which signal a row is of. */
export interface SignalIdentity {
  readonly id: string;
  readonly parcelKey: string;
}

/**
 * The identity of a signal: its county, type and parcel, so that the same row at two sources, or of another year's
 * list, is one signal. The id is a UUID (version 5) of it: the same on every machine. Undefined when the parcel number
 * is none.
 */
export function identifySignal(signal: ObservedSignal): SignalIdentity | undefined {
  const key = parcelKey(signal.countyFips, signal.parcelId);
  return key === undefined ? undefined : { id: v5(`${signal.signalType}:${key}`, namespace), parcelKey: key };
}
