import { v5 } from 'uuid';
import { parcelKey } from '../../places/addresses/parcel.js';
import type { ObservedSignal } from './signal.js';

/** Namespace of all signal ids. Never change it: that would change every published id. */
const namespace = '2d3c8a51-7f1b-4a0e-9d36-58c1f0e7b6a4';

/** The identity of a row's signal. */
export interface SignalIdentity {
  readonly id: string;
  readonly parcelKey: string;
}

/**
 * The identity of a signal: county, type and parcel, so that the same row at two sources, or in another year's list, is
 * one signal. The id is a UUID (version 5) of it, the same on every machine. Undefined when the parcel number is not
 * valid.
 */
export function identifySignal(signal: ObservedSignal): SignalIdentity | undefined {
  const key = parcelKey(signal.countyFips, signal.parcelId);
  return key === undefined ? undefined : { id: v5(`${signal.signalType}:${key}`, namespace), parcelKey: key };
}
