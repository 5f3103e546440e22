import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SoldEvents, SoldFeeds } from './records/feeds/sold-feeds.js';
import { createHandlers } from './api/handlers.js';
import { createCounts } from './api/count/count-matches.js';
import { createReadReport } from './api/data/get-report.js';
import type { MetaPorts } from './api/documents/get-meta.js';
import { createReadReadiness, type ReadReadiness } from './api/documents/get-readiness.js';
import { createParameterRules } from './api/parameter-rules.js';
import type { Config } from './config/config.js';
import type { Contract } from './contract/contract.js';
import { loadContract } from './contract/load-contract.js';
import { createValidators, type Validators } from './contract/validators.js';
import { createDataHealth } from './api/documents/data-health.js';
import type { Database } from './db/database.js';
import { databaseOptionsOf, openDatabase } from './db/open-database.js';
import { openAtLast } from './db/outage.js';
import { createDocuments } from './pages/discovery/documents.js';
import type { Pipeline } from './publishing/pipeline.js';
import { createHttpServer, type HttpPorts, type HttpServer } from './transport/http/server.js';
import { countRetired } from './listings/listing-reader.js';
import { openLog, type Log } from './log.js';
import { createMcpEndpoint } from './transport/mcp/mcp-endpoint.js';
import { createProblemReply } from './operations/problem.js';
import { createRuns } from './operations/create-runs.js';
import { openHashKey } from './secrets/hash-key-store.js';
import { readServerSecrets } from './config/server-secrets.js';
import { openDemonstration } from './demo/open-demonstration.js';
import { createPageTokens } from './feeds/page-token.js';
import { openPublishing, prepareData } from './publishing/open-publishing.js';
import { type PaymentPayload, createClientIdHash } from './payments/gate/read-payment.js';
import { describeSite } from './pages/describe-site.js';
import { createRenderForPeople } from './pages/shop/render-for-people.js';
import { openPayerProof } from './payments/status/payer-proof.js';
import { openPaymentStatus } from './payments/status/payment-status.js';
import { createReplyTokens } from './payments/status/reply-token.js';
import { createChallenges } from './payments/gate/challenge.js';
import { createReportInputsReader } from './deals/reports/report-inputs-reader.js';
import { createEtagInputs } from './api/etag-inputs.js';
import { readSourceCoverage } from './sources/coverage-reader.js';
import { createReadTable } from './api/coverage/coverage-table.js';
import { readSourceStates, readStandings } from './sources/standings-reader.js';
import type { DeliveryKind } from './sources/source.js';
import { createFindUnpublishedOf, listUnpublished, secondsUntilNextRun } from './api/unpublished.js';
import { readUnderwritten } from './underwriting/underwriting-reader.js';
import { openWatch, type Watch, type WatchOverrides } from './operator/checks/watch.js';
import { connectChain } from './payments/settlement/connect-chain.js';
import { openPayments, type Payments, type PaymentsOverrides, type PaymentsPorts } from './payments/open-payments.js';
import { openLocalChain } from './demo/chain/open-local-chain.js';
import { createLimits } from './limits/limits.js';

/** The running service. */
export interface App {
  readonly url: string;
  readonly config: Config;
  readonly database: Database;
  readonly contract: Contract;
  readonly feeds: SoldFeeds;
  readonly events: SoldEvents;
  readonly pipeline: Pipeline;
  readonly selling: Payments;
  readonly watch: Watch;
  readonly readReadiness: ReadReadiness;
  /** Names this process in leases; no other process and no later start has the same. */
  readonly owner: string;
  readonly now: () => Date;
  readonly log: Log;
  /** Brings the demonstration's deliveries of a day in; nothing where real data is sold. */
  deliver(day: Date, isStep?: boolean): Promise<void>;
  /** Lets running requests and `jobs` finish, writes what is pending, and closes everything. */
  stop(jobs?: Promise<unknown>): Promise<void>;
}

export interface AppOverrides extends PaymentsOverrides, WatchOverrides, Pick<HttpPorts, 'onAnswered' | 'replyTimer'> {
  readonly now?: () => Date;
  readonly limitsElapsedMs?: () => number;
  readonly log?: Log;
  /** See `LocalChainOptions.blockMs`. */
  readonly localBlockMs?: number;
  /** See `PublishDealsPorts`. */
  readonly threadFrom?: number | undefined;
  /** When sources of a kind are read next; nothing reads them by itself where this is not given. */
  readonly nextRunOf?: (delivers: DeliveryKind, now: Date) => Date | undefined;
  /** Ends the time in which a stopping server still answers. Default: that of the configuration. */
  readonly drained?: Promise<unknown>;
  /** An open database to use instead of the configured one; the app does not close it. */
  readonly database?: Database;
}

/** How long running requests may take to finish when the server stops; longer than a settlement. */
const stopGraceMs = 40_000;
const refreshMs = 1_000;

/** Builds the house top to bottom and listens. It answers when this resolves; its feed may still be empty. */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const now = overrides.now ?? (() => new Date());
  const contract = loadContract();
  const origin = { instance: config.instanceName, version: contract.document.info.version };
  const log = overrides.log ?? (await openLog(config.logLevel, config.logFormat, origin));
  let publicBaseUrl = config.publicBaseUrl ?? '';
  const resourceUrlOf = (resource: string) => publicBaseUrl + resource;
  const owner = randomUUID();
  const ground = { config, now, log, contract, validators: createValidators(contract), owner, resourceUrlOf };
  const server = createHttpServer(config);
  const open = (onReached: () => void) => openParts({ ...ground, onReached }, server, overrides);
  const parts = await openAtLast(open, { log, whenAway: server.listen }).catch(async (error: unknown) => {
    await server.stop(undefined, 0);
    throw error;
  });
  const { database, selling, watch, readReadiness, feeds, events, pipeline, hashKey, demonstration, refresh } = parts;
  publicBaseUrl = config.publicBaseUrl ?? server.url();
  const { nextRunOf = () => undefined } = overrides;
  const waiting = { demonstration: demonstration !== undefined, nextRunOf, now };
  const operations = openOperations({ ...ground, ...parts, publicBaseUrl, waiting });
  const mcp = createMcpEndpoint({
    ...{ ...overrides, ...ground, operations },
    publicBaseUrl,
    network: selling.terms.network,
    unpaid: selling.limits.unpaid,
    problemReply: createProblemReply(ground.validators),
    issueReplyToken: createReplyTokens(parts.secrets).issue,
  });
  const site = describeSite(contract, publicBaseUrl, config.clientPackage, selling.terms.network);
  const renderForPeople = createRenderForPeople({ ...site, operations });
  const { unpaid } = selling.limits;
  await server.serve({ ...overrides, ...ground, operations, mcp, renderForPeople, hashKey, unpaid });

  // Another instance may publish, sell a lead or record a takedown. The embedded database has one instance only.
  const refreshTimer =
    database.kind === 'postgres' ? setInterval(() => void refreshQuietly(refresh, log), refreshMs) : undefined;

  return {
    ...ground,
    url: server.url(),
    ...{ database, selling, watch, readReadiness, feeds, events, pipeline },
    deliver: async (day, isStep) => demonstration?.deliver(day, isStep),
    async stop(jobs) {
      clearInterval(refreshTimer);
      selling.heartbeat.drain();
      const drained = overrides.drained ?? (config.drainMs > 0 ? setTimeout(config.drainMs) : undefined);
      await Promise.all([server.stop(drained, stopGraceMs), jobs]);
      await parts.close();
    },
  };
}

interface SellingPorts extends Pick<
  PaymentsPorts,
  'contract' | 'database' | 'owner' | 'resourceUrlOf' | 'now' | 'log'
> {
  readonly config: Config;
}

type Ground = Omit<SellingPorts, 'database'> & { readonly validators: Validators; onReached?(): void };

/** Opens one part on top of the other; where one fails, those before it are closed. */
async function openParts({ validators, ...ground }: Ground, server: HttpServer, overrides: AppOverrides) {
  const { config, contract, log } = ground;
  const closes: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let part = closes.pop(); part !== undefined; part = closes.pop()) await part();
  };
  try {
    const database = overrides.database ?? (await openDatabase(databaseOptionsOf(config), log));
    ground.onReached?.();
    if (overrides.database === undefined) closes.push(() => database.close());
    const selling = await openSelling({ ...ground, database }, overrides);
    closes.push(() => selling.close());
    const watch = openWatch({ ...ground, ...overrides, database, selling, server });
    closes.push(async () => watch.close());
    const { version } = contract.document.info;
    const secrets = readServerSecrets(config);
    const hashKey = await openHashKey(database.knex, secrets);
    const tokens = createPageTokens(secrets);
    const demonstration = config.payment === undefined ? openDemonstration(config.dataDirectory) : undefined;
    const ports = { ...overrides, ...ground, database, validators, version, tokens, hashKey, demonstration };
    await prepareData(ports);
    const publishing = await openPublishing(ports);
    closes.push(async () => publishing.close());
    const { pipeline, leadHolds, feeds } = publishing;
    const readReadiness = createReadReadiness({
      feeds,
      listUnpublished: () => listUnpublished(feeds),
      listProblems: watch.list,
      isStopping: server.isStopping,
    });
    const refresh = async () => void (await Promise.all([pipeline.refresh(), leadHolds.refresh()]));
    await selling.reconcile();
    await Promise.all([refresh(), watch.start()]);
    await server.listen();
    const opened = { database, selling, watch, readReadiness, demonstration, refresh };
    return { ...publishing, ...opened, secrets, hashKey, tokens, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface OperationParts extends Ground, Awaited<ReturnType<typeof openParts>> {
  readonly publicBaseUrl: string;
  readonly waiting: Parameters<typeof secondsUntilNextRun>[1];
}

/** The operations of the contract, by operationId. */
function openOperations(parts: OperationParts) {
  const { config, contract, validators, database, selling, feeds, secrets, publicBaseUrl, waiting, now, log } = parts;
  const documents = createDocuments({
    contract,
    publicBaseUrl,
    network: selling.terms.network.id,
    contactUrl: config.contactUrl,
    receiptSigner: selling.issuer?.address,
  });
  const readHealth = createDataHealth({
    readStandings: () => readStandings(database.knex),
    readOldestUnderwriting: async () => (await readUnderwritten(database.knex))?.at,
    ratesAt: parts.ratesAt,
    now,
    log,
  });
  const status = { payments: selling, validators, publicBaseUrl, secrets, now, log };
  const assertPayer = openPayerProof(status);
  const clocks = { now, elapsedMs: performance.now.bind(performance) };
  const readTable = createReadTable({ readSources: (at) => readSourceCoverage(database.knex, at), feeds, now });
  const findUnpublishedOf = createFindUnpublishedOf({ feeds, ...waiting });
  const readReport = createReadReport({ ...parts, reportInputs: createReportInputsReader(database.knex) });
  const counts = createCounts({ ...parts, limit: selling.limits.counts, readReport, readTable, findUnpublishedOf });
  return createRuns({
    contract,
    validators,
    handlers: createHandlers({
      ...parts,
      ...openDocuments(parts, readHealth),
      ...{ documents, counts, readReport },
      paymentStatus: openPaymentStatus({ ...status, assertPayer, keepRepliesMs: config.replyRetentionMs }),
      nextPublicationOf: (feed) => waiting.nextRunOf(feed === 'deals' ? 'listings' : feed, now()),
      coverage: { readTable, retryAfterSeconds: (feed) => secondsUntilNextRun(feed, waiting) },
    }),
    rules: createParameterRules(contract, feeds.deals, now),
    gate: {
      ...selling,
      ...{ publicBaseUrl, assertPayer },
      challenges: createChallenges({ ...contract, publicBaseUrl, issuer: selling.issuer, ...clocks }),
      hashClientId: createClientIdHash(parts.hashKey),
      isPaymentPayload: validators.at<PaymentPayload>('#/components/schemas/PaymentPayload'),
      now,
    },
    revisionOf: createEtagInputs({ documents, feeds, events: parts.events, readHealth, readTable, now }),
    ...{ findUnpublishedOf, previewOf: counts.previewOf },
    refreshFeed: parts.refresh,
    secrets,
    log,
  });
}

/** What the reports, the documents and the pages of the service are made of. */
function openDocuments(parts: OperationParts, readHealth: MetaPorts['readHealth']) {
  const { config, contract, validators, database, selling, feeds, publicBaseUrl, waiting, now } = parts;
  return {
    meta: {
      feeds,
      contract,
      validators,
      network: selling.terms.network.id,
      receiptSigner: selling.issuer?.address,
      demonstration: waiting.demonstration,
      countRetired: () => countRetired(database.knex),
      readHealth,
      now,
    },
    home: {
      ...describeSite(contract, publicBaseUrl, config.clientPackage, selling.terms.network),
      ...createReportInputsReader(database.knex),
    },
    sources: {
      readSources: () => readSourceStates(database.knex),
      readOldestUnderwriting: async () => (await readUnderwritten(database.knex))?.at,
      ratesAt: parts.ratesAt,
      ...waiting,
    },
  };
}

/** Opens the payment side: on the configured network, or on the local chain of the demonstration. */
async function openSelling(ports: SellingPorts, overrides: AppOverrides): Promise<Payments> {
  const { config, now, log } = ports;
  const { payment, settlement, publicBaseUrl, instanceName, dataDirectory, anvilPath } = config;
  const chain = payment && connectChain(payment);
  const local = { directory: join(dataDirectory, 'chain'), anvilPath, blockMs: overrides.localBlockMs, now, log };
  const limits = createLimits(config.limits, overrides.limitsElapsedMs ?? performance.now.bind(performance));
  const parts = { ...ports, limits, settlement, facilitation: payment, publicBaseUrl, instanceName };
  return openPayments(chain ?? (await openLocalChain(local)), parts, overrides);
}

async function refreshQuietly(refresh: () => Promise<void>, log: Log): Promise<void> {
  await refresh().catch((error: unknown) =>
    log.warn({ err: error }, 'the published feed could not be read; what is loaded goes on'),
  );
}
