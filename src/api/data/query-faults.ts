import type { SaleStatus } from '../../../generated/types.gen.js';
import type { FaultOf } from '../../operations/decode.js';
import { cures } from '../../wire/parameter-faults.js';
import { findCountyFault, readCenter } from './place-from-query.js';

/** With these a sale is over, whatever its date. */
const pastStatuses: readonly SaleStatus[] = ['withdrawn', 'cancelled', 'sold', 'no_bid'];

/** What is wrong with parameters that fit their schemas, by name. `now` is asked for moments that must have passed. */
export function createFaultsOf(now: () => Date) {
  const past: FaultOf = (text) => {
    const moment = readMoment(String(text));
    if (moment === undefined) return cures.moment;
    return moment > now().getTime() ? 'a moment that has passed' : undefined;
  };
  return {
    county: (text) => findCountyFault(String(text)),
    near(text) {
      const center = readCenter(String(text));
      return typeof center === 'string' ? center : undefined;
    },
    sort: (by, { near }) => (by === 'distance' && near === undefined ? 'sort=distance needs near' : undefined),
    radius: (_, { near }) => (near === undefined ? 'radius needs near' : undefined),
    price_cut_since: past,
    first_seen_since: past,
    sale_status: (list, { include_past: isPastIncluded }) => {
      const [over] = (list as SaleStatus[]).filter((status) => pastStatuses.includes(status));
      return over === undefined || isPastIncluded === true ? undefined : `${over} needs include_past=true`;
    },
  } satisfies Readonly<Record<string, FaultOf>>;
}

/** Milliseconds since 1970 of a timestamp, or of a date's 00:00 UTC; undefined for a day that does not exist. */
export function readMoment(text: string): number | undefined {
  const ms = Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text.slice(0, 10)) ? undefined : ms;
}
