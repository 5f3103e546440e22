import { isKnown, known } from '../../absence.js';
import type { OwnAddress } from '../../places/addresses/own-address.js';
import { completeAddress } from '../parcels/complete-address.js';
import type { RollPlaces } from '../parcels/parcel-reader.js';
import { leaveOutFields } from '../../policy/leave-out-fields.js';
import type { ObservedSignal, Signal } from './signal.js';

/** A signal as stored: the row of the source that counts. */
export interface SignalRow {
  readonly id: string;
  readonly source_name: string;
  readonly county_fips: string;
  readonly parcel_key: string;
  readonly own_address: OwnAddress;
  readonly content: Omit<ObservedSignal, 'sourcePublishedAt'> & { readonly sourcePublishedAt: Stored<string> };
  readonly amount_since: Date;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
  readonly licence_class: string;
  readonly undisplayed_fields: readonly string[];
}

type Stored<T> = { readonly value: T } | Extract<ObservedSignal['sourcePublishedAt'], { absent: unknown }>;

/**
 * Assembles a signal without the fields its licence does not show, or an address from the roll in place of a suppressed
 * one. `roll` is of its parcel.
 */
export function rowToSignal(row: SignalRow, roll: RollPlaces): Signal {
  const content = leaveOutFields(row.content, row.undisplayed_fields);
  const judged = row.undisplayed_fields.includes('address') ? 'suppressed' : row.own_address;
  const place = completeAddress(content, judged, roll);
  const isFromRoll = place.addressStatus === 'complete' && judged !== 'usable';
  const assessedValue = assessedValueOf(content.assessedValue, roll);
  const valueSourceNames = assessedValue === content.assessedValue ? [] : roll.valueSourceNames;
  return {
    id: row.id,
    sourceName: row.source_name,
    sourceNames: [row.source_name, (isFromRoll && roll.places[0]?.sourceName) || [], valueSourceNames].flat(),
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    demonstration: row.licence_class === 'demonstration',
    // After the few: V8 is slow when it adds a few members to a copy of many.
    ...content,
    ...place,
    assessedValue,
    sourcePublishedAt: isKnown(content.sourcePublishedAt)
      ? known(new Date(content.sourcePublishedAt.value))
      : content.sourcePublishedAt,
  };
}

/** Its own value, else the roll's. A value that the source suppresses is not looked up. */
function assessedValueOf(own: Signal['assessedValue'], { assessedValue }: RollPlaces): Signal['assessedValue'] {
  if (isKnown(own) || assessedValue === undefined) return own;
  const isSuppressed = own.absent === 'suppressed_by_policy' || own.absent === 'suppressed_by_owner';
  return isSuppressed ? own : known(assessedValue);
}
