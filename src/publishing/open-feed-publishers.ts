import type * as Wire from '../../generated/types.gen.js';
import type { DealViews } from '../records/feeds/deal-feed.js';
import type { AuctionViews } from '../records/feeds/auction-feed.js';
import { createRenderAuction, type LicensedAuction } from '../records/render-auction.js';
import type { LeadViews } from '../records/feeds/lead-feed.js';
import { createRenderLead } from '../records/render-lead.js';
import { createRenderSignal, type LicensedSignal } from '../records/render-signal.js';
import type { SignalViews } from '../records/feeds/signal-feed.js';
import { createProver, type Prover } from '../contract/prover.js';
import type { Validators } from '../contract/validators.js';
import type { Database } from '../db/database.js';
import { auctionKind, type AuctionColumns, type AuctionFilter, type AuctionRank } from '../feeds/query/auction-kind.js';
import { dealKind, type DealColumns, type DealFilter, type DealRank } from '../feeds/query/deal-kind.js';
import { createFeedStore } from '../feeds/store/feed-store.js';
import { createFeedPublisher, type FeedPublisher } from '../feeds/feed-publisher.js';
import { leadKind, type LeadColumns, type LeadFilter, type LeadRank } from '../feeds/query/lead-kind.js';
import type { HeldLeads } from '../feeds/excluded.js';
import type { Recheck } from '../feeds/publish.js';
import type { Takedowns } from '../feeds/takedowns.js';
import type { Identified } from '../feeds/query/identified.js';
import type { PageTokens } from '../feeds/page-token.js';
import { toStored, type PublishedRecord, type RecordToStore } from '../feeds/store/published-record.js';
import { signalKind, type SignalColumns, type SignalFilter, type SignalRank } from '../feeds/query/signal-kind.js';
import type { Lead } from '../deals/leads/lead.js';
import type { Log } from '../log.js';
import { recordOf, type PreparedDeal, type PreparedRecord } from './prepare-deals.js';

/** A lead, or one that was rendered with its deal. */
export type LeadToPublish = Lead | PreparedRecord;

/** Every feed with what publishes it. */
export interface FeedPublishers {
  readonly deals: FeedPublisher<PreparedDeal, DealRank, DealColumns, DealFilter, DealViews>;
  readonly signals: FeedPublisher<LicensedSignal, SignalRank, SignalColumns, SignalFilter, SignalViews>;
  readonly auctions: FeedPublisher<LicensedAuction, AuctionRank, AuctionColumns, AuctionFilter, AuctionViews>;
  readonly leads: FeedPublisher<LeadToPublish, LeadRank, LeadColumns, LeadFilter, LeadViews>;
}

export interface FeedPublishersPorts {
  readonly database: Database;
  readonly validators: Validators;
  readonly tokens: PageTokens;
  /** Of the leads. */
  readonly leadHolds: HeldLeads;
  readonly takedowns: Takedowns;
  readonly recheck: Recheck;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Sets all feeds up over one database, empty until they are refreshed. Signals, and the leads that are made of them,
 * are too many for their bytes to be held.
 */
export async function openFeedPublishers(ports: FeedPublishersPorts): Promise<FeedPublishers> {
  const { database, validators, tokens, leadHolds, takedowns, recheck, now, log } = ports;
  const { knex } = database;
  const shared = { tokens, takedowns, recheck, now, log };
  const deal = {
    full: createProver<Wire.Deal>(validators, 'Deal'),
    basic: createProver<Wire.BasicDeal>(validators, 'BasicDeal'),
  };
  const signal = createProver<Wire.Signal>(validators, 'Signal');
  const auction = createProver<Wire.Auction>(validators, 'Auction');
  const lead = createProver<Wire.Lead>(validators, 'Lead');
  const renderLead = rendered(createRenderLead(lead), lead);
  return {
    deals: await createFeedPublisher({
      ...shared,
      kind: dealKind,
      store: createFeedStore(knex, { kind: dealKind, isCounted: true }),
      render: ({ record }) => recordOf(record),
      provers: deal,
      sliceSize: 10,
    }),
    signals: await createFeedPublisher({
      ...shared,
      kind: signalKind,
      store: createFeedStore(knex, { kind: signalKind }),
      render: rendered(createRenderSignal(signal), signal),
      provers: { full: signal },
      sliceSize: 50,
    }),
    auctions: await createFeedPublisher({
      ...shared,
      kind: auctionKind,
      store: createFeedStore(knex, { kind: auctionKind }),
      render: rendered(createRenderAuction(auction), auction),
      provers: { full: auction },
      sliceSize: 25,
    }),
    leads: await createFeedPublisher({
      ...shared,
      kind: leadKind,
      store: createFeedStore(knex, { kind: leadKind }),
      render: (item) => ('leadType' in item ? renderLead(item) : recordOf(item)),
      provers: { full: lead },
      sliceSize: 25,
      leadHolds,
    }),
  };
}

/** Renders a record as it is stored, with the seal of its prover. */
function rendered<Source, Columns extends Identified, Views extends { readonly full: Full }, Full>(
  render: (source: Source) => PublishedRecord<Columns, Views>,
  prover: Prover<Full>,
): (source: Source) => RecordToStore {
  return (source) => toStored(render(source), { full: prover });
}
