import type { EventToStore } from '../../feeds/events/event-store.js';
import { findEvents } from '../../feeds/events/find-events.js';
import type { EventPorts } from '../../feeds/events/write-events.js';
import type { AuctionColumns } from '../../feeds/query/auction-kind.js';
import type { DealColumns } from '../../feeds/query/deal-kind.js';
import { addCounts, type CountsByState } from '../../feeds/store/change-counts.js';
import type { DraftVersion } from '../../feeds/store/draft-store.js';
import type { RecordToStore } from '../../feeds/store/published-record.js';
import { shapeOf } from '../../feeds/store/shape.js';

/** Demonstration only: what its sources showed before their first day. Days count backward from that day. */
export interface ShownPast {
  readonly firstDay: Date;
  readonly listings: readonly {
    readonly sourceKey: string;
    /** Oldest first, each as a multiple of the present price, which is the last. */
    readonly prices: readonly { readonly daysAgo: number; readonly untilDaysAgo: number; readonly multiple: number }[];
    /** Days on which it was gone for a while, and back. */
    readonly absence?: { readonly daysAgo: number; readonly untilDaysAgo: number };
  }[];
  readonly sales: readonly {
    readonly sourceName: string;
    readonly sourceKey: string;
    readonly statuses: readonly { readonly daysAgo: number; readonly status: string; readonly saleDate: string }[];
  }[];
}

/** The state of a record from a day on; without columns it was absent. */
export interface PastState<Columns> {
  readonly daysAgo: number;
  readonly columns?: Columns;
  readonly text?: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Hours from a reading to the publication of its version. */
const publishedAfterHours = 6;
/** A price of this multiple or more is a typing error, which no event reports. */
const mistyped = 1.5;

type Listing = ShownPast['listings'][number];
type Sale = ShownPast['sales'][number];

/** The past states of a deal, derived from its present columns and JSON text. */
export function dealStates({ prices, absence }: Listing, present: DealColumns, text: string): PastState<DealColumns>[] {
  const at = (multiple: number) => ({ columns: pricedAt(present, multiple), text: textAt(text, present, multiple) });
  const states = prices.flatMap(({ daysAgo, untilDaysAgo, multiple }, index): PastState<DealColumns>[] => {
    if (multiple >= mistyped) return [];
    const next = prices[index + 1];
    const isGone = next !== undefined && untilDaysAgo > next.daysAgo + 1;
    return [{ daysAgo, ...at(multiple) }, ...(isGone ? [{ daysAgo: untilDaysAgo - 1 }] : [])];
  });
  if (absence === undefined) return states;
  return [...states, { daysAgo: absence.daysAgo }, { daysAgo: absence.untilDaysAgo, ...at(1) }];
}

/** Rounds to 500 dollars, like the stored past prices. */
function pastCents(cents: number, multiple: number): number {
  return multiple === 1 ? cents : Math.round((cents * multiple) / 50_000) * 50_000;
}

function pricedAt(present: DealColumns, multiple: number): DealColumns {
  const { priceCents, units } = present;
  if (priceCents === undefined) return present;
  const cents = pastCents(priceCents, multiple);
  const perUnit = units === undefined || present.centsPerUnit === undefined ? undefined : cents / units;
  return { ...present, priceCents: cents, toldCents: cents, centsPerUnit: perUnit };
}

function textAt(text: string, { priceCents }: DealColumns, multiple: number): string {
  if (priceCents === undefined || multiple === 1) return text;
  const price = (pastCents(priceCents, multiple) / 100).toFixed(2);
  return JSON.stringify({ ...(JSON.parse(text) as object), list_price: price });
}

/** The past states of an auction. */
export function auctionStates({ statuses }: Sale, present: AuctionColumns, text: string): PastState<AuctionColumns>[] {
  const record = JSON.parse(text) as object;
  return statuses.map(({ daysAgo, status, saleDate }) => ({
    daysAgo,
    columns: { ...present, saleStatus: status, saleDate, isOpen: status === 'scheduled' || status === 'adjourned' },
    text: JSON.stringify({ ...record, sale_status: status, sale_date: saleDate }),
  }));
}

/** Finds the events between past states of records, and their counts, in one version per day. */
export function createTimeline<Columns extends { readonly id: string; readonly state: string }>(
  kind: Parameters<typeof shapeOf>[0],
  { rules, compose }: Pick<EventPorts<Columns>, 'rules' | 'compose'>,
  firstDay: Date,
  draft: DraftVersion,
) {
  const versions = Array.from({ length: draft.version - 1 }, () => [] as Omit<EventToStore, 'ordinal'>[]);
  const counted: CountsByState[] = versions.map(() => ({}));
  const shape = shapeOf(kind);
  const momentOf = (version: number, hours = 0) =>
    new Date(firstDay.getTime() - (draft.version - version) * dayMs + hours * hourMs);
  const count = (version: number, state: string, change: 'added' | 'removed' | 'repriced') => {
    const counts = { added: 0, removed: 0, repriced: 0, [change]: 1 };
    counted[version - 1] = addCounts(counted[version - 1] ?? {}, { [state]: counts });
  };

  return {
    add(id: string, states: readonly PastState<Columns>[]): void {
      let before: Columns | undefined;
      let wasRemoved = false;
      for (const { daysAgo, columns: after, text } of states.toSorted((one, other) => other.daysAgo - one.daysAgo)) {
        const version = Math.max(1, draft.version - daysAgo);
        if (version >= draft.version) break;
        const observedAt = momentOf(version);
        const state = (after ?? before)?.state ?? '';
        if (before === undefined && after !== undefined) count(version, state, 'added');
        // The first invented version lists every record, which is no event.
        const found =
          version === 1 && before === undefined ? [] : findEvents(rules, { before, after, wasRemoved }, shape);
        for (const event of found) {
          if (event.event === 'removed' || event.event === 'repriced') count(version, state, event.event);
          const record = after && text !== undefined ? recordOf(id, text) : undefined;
          const body = compose(event, { id, observedAt, record });
          const columns = { before: before && JSON.stringify(before), after: after && JSON.stringify(after) };
          const place = {
            version,
            at: momentOf(version, publishedAfterHours),
            observedAt,
            entity: rules.entity,
            id,
            event: event.event,
          };
          versions[version - 1]?.push({ ...place, ...columns, body });
        }
        wasRemoved ||= before !== undefined && after === undefined;
        before = after;
      }
    },
    finish() {
      let totals: CountsByState = {};
      return {
        events: versions.flatMap((events) => events.map((event, index) => ({ ...event, ordinal: index + 1 }))),
        counts: counted.map((counts, index) => {
          totals = addCounts(totals, counts);
          return {
            version: index + 1,
            committed_at: momentOf(index + 1, publishedAfterHours),
            totals: JSON.stringify(totals),
          };
        }),
      };
    },
  };
}

/** The parts of a record that an event is composed from. */
function recordOf(id: string, text: string): RecordToStore {
  return { id, columns: '', placeKeys: [], bodies: { full: { text }, basic: { text } }, hash: '' };
}
