import type * as Wire from '../../generated/types.gen.js';
import { isKnown, type Maybe } from '../absence.js';
import type { Prover } from '../contract/prover.js';
import { placeOf } from '../counties/matches/property-place.js';
import type { Signal } from '../counties/signals/signal.js';
import type { AllColumns } from '../feeds/query/feed-kind.js';
import type { SignalColumns } from '../feeds/query/signal-kind.js';
import { proveView, toStored, type RecordToStore } from '../feeds/store/published-record.js';
import { countyLabel } from '../places/metros/county-label.js';
import type { Licence } from '../sources/source.js';
import { createAbsence } from './absence.js';
import { maybeTwoDigits, toHundredths, twoDigits } from './decimal-text.js';
import { originOfRecord } from './origin.js';
import { placeOfRecord } from './place-columns.js';
import { provenanceToWire, type Licensed } from './provenance.js';

/** Renders a signal for publication: its proven text, and the columns by which the feed ranks and filters. */
export function createRenderSignal(prover: Prover<Wire.Signal>): (licensed: Licensed<Signal>) => RecordToStore {
  return ({ record: signal, licence }) => {
    const wire = signalToWire(signal, licence);
    const columns: AllColumns<SignalColumns> = {
      id: wire.id,
      amountCents: toHundredths(wire.amount),
      ...placeOfRecord(signal),
      signalType: wire.signal_type,
      hasAddress: wire.has_address,
      firstSeenMs: signal.firstSeenAt.getTime(),
      lastSeenMs: signal.lastSeenAt.getTime(),
      ...originOfRecord(signal),
    };
    const placeKeys = [...placeOf(signal).keys, ...(signal.unshownPlaceKeys ?? [])];
    return toStored(columns, placeKeys, { full: proveView(prover, wire) });
  };
}

/** Converts a signal to the contract's form: every field typed, every null with its reason. */
export function signalToWire(signal: Signal, licence: Licence): Wire.Signal {
  const { absentFields, take } = createAbsence<Wire.Signal['absent']>();
  return {
    id: signal.id,
    signal_type: signal.signalType,
    county: countyLabel(signal.countyFips, signal.state),
    state: signal.state,
    address: take('address', signal.address),
    city: take('city', signal.city),
    zip: take('zip', signal.zip),
    owner_name: signal.ownerName,
    parcel_id: signal.parcelId,
    amount: twoDigits(signal.amount),
    source_url: signal.sourceUrl,
    last_seen: signal.lastSeenAt.toISOString(),
    has_address: signal.addressStatus === 'complete',
    address_status: signal.addressStatus,
    years_owed: take('years_owed', signal.yearsOwed),
    tax_sale_date: take('tax_sale_date', signal.taxSaleDate),
    assessed_value: take('assessed_value', maybeTwoDigits(signal.assessedValue)),
    source_published_at: take('source_published_at', timestampOf(signal.sourcePublishedAt)),
    list_year: take('list_year', signal.listYear),
    first_seen: signal.firstSeenAt.toISOString(),
    provenance: provenanceToWire(signal, licence),
    absent: absentFields,
  };
}

function timestampOf(maybe: Maybe<Date>): Maybe<string> {
  return isKnown(maybe) ? { value: new Date(maybe.value).toISOString() } : maybe;
}

/** Meanings of a signal's enumerations and fields, by field. */
export const signalSchemaNotes: Readonly<Record<string, string>> = {
  signal_type: 'tax_delinquent: property tax that the county lists as unpaid.',
  amount: 'All that the county lists as owed on the parcel, USD.',
  address_status:
    'complete: a street address is there. pending_parcel_lookup: the county parcel roll has not been read yet. parcel_lookup_failed: the roll does not list the parcel. no_situs_address: the land has no street number. ambiguous: the roll gives several. suppressed: it must not be shown.',
  has_address: 'True exactly when address_status is complete; such a row is mail-ready.',
  last_seen: 'When this service last saw the row; source_published_at and list_year say how old the list is.',
  owner_name: 'Owner of record as the public record names it. Not for decisions about persons.',
};
