import type * as Wire from '../../generated/types.gen.js';
import { createProver } from '../contract/prover.js';
import type { Validators } from '../contract/validators.js';
import type { Database } from '../db/database.js';
import { auctionEvents } from '../feeds/events/auction-events.js';
import { dealEvents } from '../feeds/events/deal-events.js';
import type { EventRules } from '../feeds/events/event.js';
import { createEventLog } from '../feeds/events/event-log.js';
import { createEventStore } from '../feeds/events/event-store.js';
import { findShownAmong, type ShownRecords } from '../feeds/events/not-shown.js';
import { auctionKind } from '../feeds/query/auction-kind.js';
import { dealKind } from '../feeds/query/deal-kind.js';
import type { RecordTest } from '../feeds/query/feed-kind.js';
import type { PlaceFilter } from '../feeds/query/place-rules.js';
import type { Origin, Takedowns } from '../feeds/takedowns.js';
import { createComposeAuctionEvent, createComposeDealEvent } from '../records/event.js';

/** Tells of the two feeds with events which records are shown. */
interface EventfulFeeds {
  readonly deals: { readonly feed: ShownRecords };
  readonly auctions: { readonly feed: ShownRecords };
}

/** Opens the events of deals and auctions: publications write them, and this process holds them in memory. */
export function openEvents(
  knex: Database['knex'],
  validators: Validators,
  takedowns: Takedowns,
  feeds: () => EventfulFeeds,
) {
  function open<Columns extends Origin, Filter extends PlaceFilter>(
    { name, readColumns, testsOf }: KindOf<Columns, Filter>,
    rules: EventRules<Columns>,
    feed: () => ShownRecords,
  ) {
    const store = createEventStore(knex, name, readColumns);
    const findShown = (ids: ReadonlySet<string>) => findShownAmong(feed(), ids);
    const log = createEventLog({ rules, store, testsOf, takedowns, findShown });
    return { rules, store, log, load: log.load };
  }

  return {
    deals: {
      ...open(dealKind, dealEvents, () => feeds().deals.feed),
      compose: createComposeDealEvent(createProver<Wire.DealEvent>(validators, 'DealEvent')),
    },
    auctions: {
      ...open(auctionKind, auctionEvents, () => feeds().auctions.feed),
      compose: createComposeAuctionEvent(createProver<Wire.AuctionEvent>(validators, 'AuctionEvent')),
    },
  };
}

/** The parts of a feed kind that its events need. */
interface KindOf<Columns, Filter> {
  readonly name: string;
  readonly readColumns: (json: Readonly<Record<string, unknown>>) => Columns;
  readonly testsOf: (filter: Filter) => readonly RecordTest[];
}
