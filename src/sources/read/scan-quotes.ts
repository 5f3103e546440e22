/**
 * How a text stands after some lines of CSV: at a record's end, inside a quoted field, or outside the rules of RFC
 * 4180.
 */
export type QuoteState = 'complete' | 'open' | 'broken';

const quote = 0x22;

/**
 * Follows the quotes of one line of a CSV record, given whether the record was inside a quoted field before it. A quote
 * may open only at the start of a field, and only a delimiter, a line end or a second quote may follow the closing one.
 */
export function scanQuotes(line: Buffer, delimiter: number, wasOpen: boolean): QuoteState {
  if (!wasOpen && line.indexOf(quote) === -1) return 'complete';
  let place: 'start' | 'plain' | 'quoted' | 'closed' = wasOpen ? 'quoted' : 'start';
  for (const byte of line) {
    if (place === 'quoted') {
      if (byte === quote) place = 'closed';
    } else if (byte === quote) {
      if (place === 'plain') return 'broken';
      place = 'quoted';
    } else if (byte === delimiter) place = 'start';
    else if (byte === 0x0a || byte === 0x0d) continue;
    else if (place === 'closed') return 'broken';
    else place = 'plain';
  }
  return place === 'quoted' ? 'open' : 'complete';
}
