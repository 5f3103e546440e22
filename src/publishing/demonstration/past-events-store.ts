import { createEventStore } from '../../feeds/events/event-store.js';
import type { EventPorts } from '../../feeds/events/write-events.js';
import { auctionKind, type AuctionColumns } from '../../feeds/query/auction-kind.js';
import { dealKind, type DealColumns } from '../../feeds/query/deal-kind.js';
import type { Beside } from '../../feeds/store/draft-store.js';
import { auctionStates, createTimeline, dealStates, type PastState, type ShownPast } from './past-events.js';

type ReadPast = () => ShownPast | undefined;
type Composing<Columns> = Pick<EventPorts<Columns>, 'rules' | 'compose'>;

interface PublishedRow {
  readonly id: string;
  readonly source_name: string;
  readonly source_key: string;
  readonly columns: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/**
 * Demonstration only: writes the events of the 30 days before the first publication, with that publication. `readPast`
 * returns undefined after the first day.
 */
export const createHistory =
  (readPast: ReadPast): OpenHistory =>
  ({ deals, auctions }) => ({
    deals: createDealHistory(readPast, deals),
    auctions: createAuctionHistory(readPast, auctions),
  });

/** Creates the writers of a feed's events from before its first version. */
export type OpenHistory = (events: {
  readonly deals: Composing<DealColumns>;
  readonly auctions: Composing<AuctionColumns>;
}) => { readonly deals: Beside; readonly auctions: Beside };

function createDealHistory(readPast: ReadPast, ports: Composing<DealColumns>): Beside {
  return writeHistory(readPast, dealKind, ports, selectDeals, (past) => {
    const byKey = new Map(past.listings.map((each) => [each.sourceKey, each]));
    return ({ source_key: key, columns, text }) => {
      const listing = byKey.get(key);
      return listing === undefined ? [] : dealStates(listing, dealKind.readColumns(columns), text);
    };
  });
}

function createAuctionHistory(readPast: ReadPast, ports: Composing<AuctionColumns>): Beside {
  return writeHistory(readPast, auctionKind, ports, selectAuctions, (past) => {
    const byKey = new Map(past.sales.map((each) => [`${each.sourceName} ${each.sourceKey}`, each]));
    return ({ source_name: name, source_key: key, columns, text }) => {
      const sale = byKey.get(`${name} ${key}`);
      return sale === undefined ? [] : auctionStates(sale, auctionKind.readColumns(columns), text);
    };
  });
}

interface PastKind<Columns> {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly isCounted?: boolean;
  readonly readColumns: (json: PublishedRow['columns']) => Columns;
}

const eventsPerStatement = 500;

function writeHistory<Columns extends { readonly id: string; readonly state: string }>(
  readPast: ReadPast,
  kind: PastKind<Columns>,
  ports: Composing<Columns>,
  select: string,
  statesOf: (past: ShownPast) => (row: PublishedRow) => readonly PastState<Columns>[],
): Beside {
  return async (transaction, draft) => {
    const past = readPast();
    // The demonstration numbers its first publication after the days of its past; a first version has none.
    if (past === undefined || draft.version === 1) return;
    const { rows } = await transaction.raw<{ rows: PublishedRow[] }>(select, { version: draft.version });
    const timeline = createTimeline(kind, ports, past.firstDay, draft);
    const toStates = statesOf(past);
    for (const row of rows) timeline.add(row.id, toStates(row));
    const { events, counts } = timeline.finish();
    const store = createEventStore(transaction, kind.name, kind.readColumns);
    for (let start = 0; start < events.length; start += eventsPerStatement)
      await store.write(draft, events.slice(start, start + eventsPerStatement));
    if (kind.isCounted !== true) return;
    await transaction('feed_changes').insert(counts.map((count) => ({ feed: kind.name, ...count })));
  };
}

const selectDeals = `
  SELECT DISTINCT ON (r.id) r.id, s.source_name, s.source_key, r.columns, r.basic_json AS text
  FROM published_records AS r JOIN listing_sources AS s ON s.listing_id = r.id
  WHERE r.feed = 'deals' AND r.version = :version AND NOT r.retired ORDER BY r.id, s.first_seen_at, s.source_name`;

const selectAuctions = `
  SELECT r.id, s.source_name, s.source_key, r.columns, r.full_json AS text
  FROM published_records AS r JOIN auctions AS s ON s.id = r.id
  WHERE r.feed = 'auctions' AND r.version = :version AND NOT r.retired ORDER BY r.id`;
