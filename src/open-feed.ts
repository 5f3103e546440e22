import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BasicDeal, Deal } from '../generated/types.gen.js';
import type { Config } from './config.js';
import { createProver } from './contract/prover.js';
import type { Validators } from './contract/validators.js';
import type { Database } from './db/database.js';
import { deliverDemonstration } from './demo/deliver-demonstration.js';
import { createDealFeed, type DealFeed } from './feeds/deal-feed.js';
import { createPageTokens, type PageTokens } from './feeds/page-token.js';
import { createFeedWork, type FeedWork } from './feed-work.js';
import type { Log } from './log.js';
import { readServerSecret } from './server-secret.js';

/** Everything between the sources and the published feed. */
export interface OpenFeed {
  readonly feed: DealFeed<Deal, BasicDeal>;
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
export function openFeed({ config, validators, database, now, log }: FeedPorts): OpenFeed {
  const demonstration = config.payment === undefined;
  const demonstrationDirectory = join(config.dataDirectory, 'demonstration');
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });
  mkdirSync(config.dropDirectory, { recursive: true });
  if (demonstration) mkdirSync(demonstrationDirectory, { recursive: true });
  const secret = readServerSecret(config);
  const tokens = createPageTokens(secret);
  const feed = createDealFeed<Deal, BasicDeal>(tokens, now);
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
