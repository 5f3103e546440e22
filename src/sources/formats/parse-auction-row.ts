import { isKnown, known } from '../../absence.js';
import type { ObservedAuction } from '../../counties/auctions/auction.js';
import type { NoteValue, RowReject } from '../source.js';
import { parseZip } from '../values/places.js';
import { parseLine } from '../values/text.js';
import { labelsOf, parseSale } from './html/parse-sale.js';
import {
  type Columns,
  readField,
  readLocation,
  type RecordMapping,
  recordUrlOf,
  refuseByFlags,
} from './record-mapping.js';

/**
 * Normalizes one row of a county's list of sheriff's sales as its page would be, with city and ZIP of their own columns
 * where they are mapped; or rejects it without a day. Pure, but for what `note` is told.
 */
export function parseAuctionRow(
  row: Columns,
  key: string,
  mapping: RecordMapping,
  note?: NoteValue,
): ObservedAuction | RowReject {
  const flagged = refuseByFlags(row, key, mapping);
  if (flagged !== undefined) return flagged;
  const { columns, constants } = mapping;
  const textAt = (field: keyof typeof labelsOf | 'saleStatus'): string => {
    const text = readField(row, mapping, field, known);
    return isKnown(text) ? text.value : '';
  };
  const fields = Object.keys(labelsOf) as (keyof typeof labelsOf)[];
  const published = fields.filter((field) => columns[field] !== undefined || constants[field] !== undefined);
  const labels = Object.fromEntries(published.map((field) => [labelsOf[field][0], [textAt(field)]]));
  const page = { labels, history: [], statusText: textAt('saleStatus'), url: recordUrlOf(row, mapping) };
  const sale = parseSale(page, key, mapping, note);
  if ('reject' in sale) return sale;
  const hasCity = columns.city !== undefined || constants.city !== undefined;
  const hasZip = columns.zip !== undefined || constants.zip !== undefined;
  return {
    ...sale,
    ...readLocation(row, mapping),
    ...(hasCity && { city: readField(row, mapping, 'city', (text) => parseLine(text, 80), note) }),
    ...(hasZip && { zip: readField(row, mapping, 'zip', (text) => parseZip(text, mapping.state), note) }),
  };
}
