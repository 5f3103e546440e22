import type * as Wire from '../../generated/types.gen.js';
import { createProver } from '../contract/prover.js';
import type { Validators } from '../contract/validators.js';
import type { Database } from '../db/database.js';
import type { Lead } from '../deals/leads/lead.js';
import { createFeedPublisher, type FeedPublisherPorts } from '../feeds/feed-publisher.js';
import { auctionKind } from '../feeds/query/auction-kind.js';
import { dealKind } from '../feeds/query/deal-kind.js';
import { leadKind } from '../feeds/query/lead-kind.js';
import { signalKind } from '../feeds/query/signal-kind.js';
import { createFeedStore } from '../feeds/store/feed-store.js';
import { createRenderAuction } from '../records/auction.js';
import { createRenderLead } from '../records/lead.js';
import { createRenderSignal } from '../records/signal.js';
import { openEvents } from './open-events.js';
import type { OpenHistory } from './demonstration/past-events-store.js';
import { recordOrThrow, type PreparedDeal, type PreparedRecord } from './prepare-deals.js';

/** A lead, or one that was rendered with its deal. */
export type LeadToPublish = Lead | PreparedRecord;

/** The publishers of all feeds. */
export type FeedPublishers = Awaited<ReturnType<typeof openFeedPublishers>>['publishers'];

type AnyPorts = FeedPublisherPorts<never, never, never, never, never>;

export interface FeedPublishersPorts extends Pick<AnyPorts, 'tokens' | 'takedowns' | 'recheck' | 'now' | 'log'> {
  readonly database: Database;
  readonly validators: Validators;
  readonly leadHolds: NonNullable<AnyPorts['leadHolds']>;
  /** Opens the events from before the first publication; undefined outside the demonstration. */
  readonly openHistory: OpenHistory | undefined;
}

/** Opens all feeds over one database, empty until they are refreshed. */
export async function openFeedPublishers({
  database,
  validators,
  leadHolds,
  openHistory,
  ...shared
}: FeedPublishersPorts) {
  const { knex } = database;
  // Its last argument is called only once the publishers are open.
  const events = openEvents(knex, validators, shared.takedowns, () => publishers);
  const history = openHistory?.(events);
  const deal = {
    full: createProver<Wire.Deal>(validators, 'Deal'),
    basic: createProver<Wire.BasicDeal>(validators, 'BasicDeal'),
    compact: createProver<Wire.CompactDeal>(validators, 'CompactDeal'),
  };
  const signal = createProver<Wire.Signal>(validators, 'Signal');
  const auction = createProver<Wire.Auction>(validators, 'Auction');
  const lead = createProver<Wire.Lead>(validators, 'Lead');
  const renderLead = createRenderLead(lead);
  const publishers = {
    deals: await createFeedPublisher({
      ...shared,
      kind: dealKind,
      store: createFeedStore(knex, dealKind),
      render: ({ record }: PreparedDeal) => recordOrThrow(record),
      provers: deal,
      sliceSize: 10,
      events: events.deals,
      past: history?.deals,
    }),
    signals: await createFeedPublisher({
      ...shared,
      kind: signalKind,
      store: createFeedStore(knex, signalKind),
      render: createRenderSignal(signal),
      provers: { full: signal },
      sliceSize: 50,
    }),
    auctions: await createFeedPublisher({
      ...shared,
      kind: auctionKind,
      store: createFeedStore(knex, auctionKind),
      render: createRenderAuction(auction),
      provers: { full: auction },
      sliceSize: 25,
      events: events.auctions,
      past: history?.auctions,
    }),
    leads: await createFeedPublisher({
      ...shared,
      kind: leadKind,
      store: createFeedStore(knex, leadKind),
      render: (item: LeadToPublish) => ('leadType' in item ? renderLead(item) : recordOrThrow(item)),
      provers: { full: lead },
      sliceSize: 25,
      leadHolds,
    }),
  };
  return { publishers, events: { deals: events.deals.log, auctions: events.auctions.log } };
}
