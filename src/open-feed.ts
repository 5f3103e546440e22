import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BasicDeal, Deal } from '../generated/types.gen.js';
import type { DealFeed, PublishedDeal } from './api/deal-feed.js';
import type { Config } from './config.js';
import { createProver } from './contract/prover.js';
import type { Validators } from './contract/validators.js';
import type { Database } from './db/database.js';
import { deliverDemonstration } from './demo/deliver-demonstration.js';
import { dealKind } from './feeds/deal-kind.js';
import { createFeed } from './feeds/feed.js';
import { createPageTokens, type PageTokens } from './feeds/page-token.js';
import { createSnapshot } from './feeds/snapshot.js';
import { createFeedWork, type FeedWork } from './feed-work.js';
import type { Log } from './log.js';
import { readServerSecret } from './server-secret.js';

/** Everything between the sources and the published feed. */
export interface OpenFeed {
  readonly feed: DealFeed;
  readonly tokens: PageTokens;
  readonly work: FeedWork;
  /** Signs page tokens and ETags. */
  readonly secret: string;
  /** True where fictional properties are shown and no real money is taken. */
  readonly demonstration: boolean;
  /** Brings the demonstration's deliveries of a day in; nothing where real data is sold. */
  deliver(day: Date): Promise<void>;
}

export interface FeedPorts {
  readonly config: Config;
  readonly validators: Validators;
  readonly database: Database;
  readonly now: () => Date;
  readonly log: Log;
}

/** Opens the feed over a database, and makes the directories that sources are dropped into. It is empty until refreshed. */
export async function openFeed({ config, validators, database, now, log }: FeedPorts): Promise<OpenFeed> {
  const demonstration = config.payment === undefined;
  const demonstrationDirectory = join(config.dataDirectory, 'demonstration');
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });
  mkdirSync(config.dropDirectory, { recursive: true });
  if (demonstration) mkdirSync(demonstrationDirectory, { recursive: true });
  const secret = readServerSecret(config);
  const tokens = createPageTokens(secret);
  const feed = await openDealFeed(tokens, now);
  const work = createFeedWork({
    database,
    feed,
    provers: {
      full: createProver<Deal>(validators, 'Deal'),
      basic: createProver<BasicDeal>(validators, 'BasicDeal'),
    },
    dropDirectories: demonstration ? [demonstrationDirectory, config.dropDirectory] : [config.dropDirectory],
    demonstration,
    now,
    log,
  });
  return {
    feed,
    tokens,
    work,
    secret,
    demonstration,
    deliver: (day) => (demonstration ? deliverDemonstration(demonstrationDirectory, day) : Promise.resolve()),
  };
}

/** The deals feed, empty. */
async function openDealFeed(tokens: PageTokens, now: () => Date): Promise<DealFeed> {
  const nothing: { version: number; publishedAt: Date; records: readonly PublishedDeal[] } = {
    version: 0,
    publishedAt: new Date(0),
    records: [],
  };
  return createFeed({
    kind: dealKind,
    empty: await createSnapshot(dealKind, nothing, () => Promise.resolve()),
    readBodies: (view, records: readonly PublishedDeal[]) => records.map(({ views }) => views[view]),
    isHeld: true,
    tokens,
    now,
  });
}
