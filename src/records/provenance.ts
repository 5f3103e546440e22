import type * as Wire from '../../generated/types.gen.js';
import type { Licence } from '../sources/source.js';

/** A county record with the licence under which it is sold. */
export interface Licensed<Record> {
  readonly id: string;
  readonly record: Record;
  readonly licence: Licence;
}

/** The provenance of a record in the contract's form. */
export function provenanceToWire(
  record: { readonly sourceName: string; readonly demonstration: boolean; readonly lastSeenAt: Date },
  licence: Licence,
): Wire.Provenance {
  return {
    source: record.sourceName,
    data_class: record.demonstration ? 'demonstration' : 'live',
    licence_class: licence.class,
    attribution: licence.attribution,
    retrieved_at: record.lastSeenAt.toISOString(),
  };
}
