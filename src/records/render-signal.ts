import type * as Wire from '../../generated/types.gen.js';
import type { Prover } from '../contract/prover.js';
import { foldPlace, type AllColumns } from '../feeds/query/feed-kind.js';
import type { PublishedRecord } from '../feeds/store/published-record.js';
import type { SignalColumns } from '../feeds/query/signal-kind.js';
import { placeOf } from '../counties/matches/property-place.js';
import type { Signal } from '../counties/signals/signal.js';
import type { Licence } from '../sources/source.js';
import type { SignalViews } from './feeds/signal-feed.js';
import { originOfRecord } from './origin.js';
import { toHundredths } from './decimal-text.js';
import { signalToWire } from './signal.js';

/** A signal with the licence under which it is sold. */
export interface LicensedSignal {
  readonly id: string;
  readonly signal: Signal;
  readonly licence: Licence;
}

/** Renders a signal for publication: its proven text, and the columns by which the feed ranks and filters. */
export function createRenderSignal(
  prover: Prover<Wire.Signal>,
): (licensed: LicensedSignal) => PublishedRecord<SignalColumns, SignalViews> {
  return ({ signal, licence }) => {
    const wire = signalToWire(signal, licence);
    return {
      columns: {
        id: wire.id,
        amountCents: toHundredths(wire.amount),
        county: foldPlace(wire.county),
        signalType: wire.signal_type,
        hasAddress: wire.has_address,
        lastSeenMs: signal.lastSeenAt.getTime(),
        ...originOfRecord(signal),
      } satisfies AllColumns<SignalColumns>,
      placeKeys: [...placeOf(signal).keys, ...(signal.unshownPlaceKeys ?? [])],
      views: { full: prover.prove(wire) },
    };
  };
}
