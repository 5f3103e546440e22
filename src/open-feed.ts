import { mkdirSync } from 'node:fs';
import type { SignalList } from '../generated/types.gen.js';
import { parcelKeyPattern } from './places/addresses/parcel.js';
import { createRenderSignalPage, type RenderSignalPage } from './records/feeds/signal-feed.js';
import type { FilterShown } from './api/data/get-report.js';
import type { LookupPorts } from './api/data/look-up-address.js';
import type { ReadAt } from './api/data/find-at-address.js';
import { createRefuseMissing, type RefuseMissing } from './api/data/refuse-deal.js';
import type { SoldFeeds } from './records/feeds/sold-feeds.js';
import type { Config } from './config/config.js';
import { createAroundRenderer } from './contract/prover.js';
import type { Validators } from './contract/validators.js';
import type { Database } from './db/database.js';
import { openDemonstration } from './demo/open-demonstration.js';
import { createChangesReader, type ReadChanges } from './feeds/store/changes-reader.js';
import { createLeadHolds, type LeadHolds } from './feeds/lead-holds.js';
import { createPageTokens, type PageTokens } from './feeds/page-token.js';
import {
  createFindPublished,
  createReadPublished,
  type PlacedTexts,
  type ReadPublished,
} from './feeds/store/place-reader.js';
import { createPipeline, type Pipeline } from './publishing/pipeline.js';
import { createSignalReader } from './counties/signals/signal-reader.js';
import { createAuctionReader } from './counties/auctions/auction-reader.js';
import { createListingReader } from './listings/listing-reader.js';
import { removeDemonstration } from './sources/register-sources.js';
import { createSourceLoader } from './publishing/load-configured-sources.js';
import type { Log } from './log.js';
import { verifiedSince } from './deals/leads/find-lead.js';
import { todaysAt } from './places/metros/local-date-of.js';
import { openFeedPublishers, type FeedPublishers } from './publishing/open-feed-publishers.js';
import { createPrepareHere } from './publishing/prepare-deals.js';
import { createHoldsReader } from './payments/ledger/holds-reader.js';
import { createSuppressions } from './publishing/suppressions.js';
import { createTakedowns } from './feeds/takedowns.js';
import { createTakedownReader } from './feeds/store/takedown-store.js';
import { createRentReader } from './underwriting/rents/rent-reader.js';
import { openHashKey } from './secrets/hash-key-store.js';
import type { Secrets } from './secrets/secrets.js';
import { readServerSecrets } from './config/server-secrets.js';

/** Everything between the sources and the published feed. */
export interface OpenFeed {
  readonly feeds: SoldFeeds;
  readonly renderSignals: RenderSignalPage;
  readonly filterShown: FilterShown;
  readonly readAt: ReadAt;
  /** Of the deals. */
  readonly readChanges: ReadChanges;
  readonly refuseMissing: RefuseMissing;
  readonly tokens: PageTokens;
  /** Which leads are held or about to be sold. */
  readonly leadHolds: LeadHolds;
  readonly work: Pipeline;
  readonly isBuildingSuppressed: LookupPorts['isBuildingSuppressed'];
  /** Signs page tokens and ETags. */
  readonly secrets: Secrets;
  /** Of the hashes that the database keeps. */
  readonly hashKey: string;
  /** True where fictional properties are shown and no real money is taken. */
  readonly demonstration: boolean;
  /** Brings the demonstration's deliveries of a day in; nothing where real data is sold. */
  deliver(day: Date): Promise<void>;
  close(): Promise<void>;
}

export interface FeedPorts {
  readonly config: Config;
  readonly validators: Validators;
  /** Of this service, as its contract has it. */
  readonly version: string;
  readonly database: Database;
  /** See `PublishDealsPorts`. */
  readonly threadFrom?: number | undefined;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Opens the feed over a database, and makes the directories that sources are dropped into. It is empty until refreshed.
 */
export async function openFeed(ports: FeedPorts): Promise<OpenFeed> {
  const { config, validators, version, database, threadFrom, now, log } = ports;
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });
  mkdirSync(config.dropDirectory, { recursive: true });
  const demonstration = config.payment === undefined ? openDemonstration(config.dataDirectory, now) : undefined;
  // Before anything is shown: no source lists the fictional properties any more, and they would stay for sale.
  if (demonstration === undefined) await removeDemonstration(database.knex, now());
  const secrets = readServerSecrets(config);
  const hashKey = await openHashKey(database.knex, secrets);
  const tokens = createPageTokens(secrets);
  const leadHolds = createLeadHolds({
    readHolds: createHoldsReader(database.knex),
    momentAt: (at) => ({ verifiedSinceMs: verifiedSince(at).getTime(), todays: todaysAt(at) }),
    now,
  });
  const { knex } = database;
  const takedowns = createTakedowns(createTakedownReader(knex), now);
  const suppressions = createSuppressions({ knex, key: hashKey, takedowns, now });
  const suppression = suppressions.list;
  const listings = createListingReader(knex, now, suppression);
  const signals = createSignalReader({ knex, suppression, now });
  const auctions = createAuctionReader({ knex, suppression, now });
  const publishers = await openFeedPublishers({
    database,
    validators,
    tokens,
    leadHolds,
    takedowns,
    recheck: suppressions.recheck,
    now,
    log,
  });
  const work = createPipeline({
    database,
    suppressions,
    takedowns,
    publishers,
    listings,
    signals,
    auctions,
    rents: createRentReader(knex),
    loadSources: createSourceLoader({
      config,
      dropDirectories: [...(demonstration ? [demonstration.directory] : []), config.dropDirectory],
      demonstration,
      version,
      now,
      random: Math.random,
    }),
    instance: config.instanceName,
    findPublished: createFindPublished(knex),
    prepareHere: createPrepareHere(validators),
    threadFrom,
    now,
    log,
  });
  return {
    feeds: {
      deals: publishers.deals.feed,
      signals: publishers.signals.feed,
      auctions: publishers.auctions.feed,
      leads: publishers.leads.feed,
    },
    leadHolds,
    renderSignals: createRenderSignalPage(
      createAroundRenderer<SignalList, 'signals'>(validators, 'SignalList', 'signals'),
    ),
    filterShown: createFilterShown(publishers),
    readAt: createReadAt(publishers, createReadPublished(knex, parcelKeyPattern)),
    readChanges: createChangesReader(database.knex, publishers.deals.feed.name),
    refuseMissing: createRefuseMissing((id) => listings.isSuppressed(id)),
    tokens,
    isBuildingSuppressed: suppression.isBuildingSuppressed,
    work,
    secrets,
    hashKey,
    demonstration: demonstration !== undefined,
    deliver: async (day) => demonstration?.deliver(day),
    close: async () => {
      for (const { feed } of Object.values(publishers)) feed.close();
      await demonstration?.close();
    },
  };
}

/** A record that has left its feed since a deal was published with it, or was taken down, is not shown. */
function createFilterShown({ signals, auctions }: FeedPublishers): FilterShown {
  return async (matches) => {
    const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
    const ofSignals = await signals.filterPublished(idsOf(matches.signals));
    const ofAuctions = await auctions.filterPublished(idsOf(matches.auctions));
    const shown = {
      signals: matches.signals.filter(({ id }) => ofSignals.published.has(id)),
      auctions: matches.auctions.filter(({ id }) => ofAuctions.published.has(id)),
    };
    return { shown, versions: { signals: ofSignals.version, auctions: ofAuctions.version } };
  };
}

function createReadAt({ deals, signals, auctions }: FeedPublishers, readPublished: ReadPublished): ReadAt {
  return async (keys) => {
    const [ofDeals = nothing, ofSignals = nothing, ofAuctions = nothing] = await readPublished(
      [deals.feed.name, signals.feed.name, auctions.feed.name],
      keys,
    );
    return {
      deals: deals.filterShown(ofDeals),
      signals: signals.filterShown(ofSignals),
      auctions: auctions.filterShown(ofAuctions),
      versions: { deals: ofDeals.version, signals: ofSignals.version, auctions: ofAuctions.version },
    };
  };
}

const nothing: PlacedTexts = { version: 0, takedownNumber: 0, found: [] };
