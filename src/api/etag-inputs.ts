import { createHash } from 'node:crypto';
import type { ContractOperation } from '../contract/contract.js';
import { memoizeLast } from '../operations/memoize-last.js';
import type { ReadRevision } from '../operations/operation.js';
import type { Documents } from '../pages/discovery/documents.js';
import { daysAt } from '../places/metros/local-date-of.js';
import type { SoldEvents, SoldFeeds } from '../records/feeds/sold-feeds.js';
import type { CoverageTable } from './coverage/coverage-table.js';
import { feedRevision } from './data/answers.js';
import { eventsRevision } from './events/list-events.js';
import type { OperationId } from './handler.js';

type FeedName = keyof SoldFeeds;

/**
 * An input of a reply beside its parameters. A feed: its version and its excluded records (taken down, held, too old).
 * day: the date in the counties; date: in UTC. minute: the age of sources is given in minutes. health: the state of the
 * data. coverage: that of the counties. events: those of the feed that is asked for. documents: all of them, with the
 * prices.
 */
type EtagInput = FeedName | 'day' | 'date' | 'minute' | 'health' | 'documents' | 'coverage' | 'events';

const all = ['deals', 'signals', 'auctions', 'day', 'leads', 'documents'] as const;
const pages = [...all, 'events'] as const;

/** The inputs of each operation's ETag, a sold feed first. bytes: the digest of the reply itself. */
const inputsOf: { readonly [K in OperationId]: readonly EtagInput[] | 'bytes' } = {
  listDeals: ['deals'],
  listHotDeals: ['deals'],
  listBasicDeals: ['deals'],
  listDealIds: ['deals'],
  listSignals: ['signals'],
  listAuctions: ['auctions', 'day'],
  listLeads: ['leads'],
  listEvents: ['events'],
  getReport: ['deals', 'signals', 'auctions'],
  previewReport: ['deals', 'signals', 'auctions'],
  lookUpAddress: ['deals', 'signals', 'auctions'],
  buyExclusiveLead: 'bytes',
  getPage: pages,
  getMeta: ['health', 'date', ...all],
  getHome: ['minute', 'health', ...all],
  getCoverage: ['coverage', 'date'],
  listSources: 'bytes',
  countChanges: 'bytes',
  countMatches: 'bytes',
  getPayment: 'bytes',
  getPaymentResponse: 'bytes',
  getHealth: 'bytes',
  getReadiness: 'bytes',
  getContractJson: ['documents'],
  getPlainContract: ['documents'],
  getPlainContract30: ['documents'],
  getContractYaml: ['documents'],
  getLlmsText: ['documents'],
  getX402Discovery: ['documents'],
  getApiCatalog: ['documents'],
  getFavicon: ['documents'],
  getSkill: ['documents'],
  // Its expiry changes by itself.
  getSecurityText: 'bytes',
  getDealsPage: 'bytes',
  getReportViewer: 'bytes',
  getErrorGuide: 'bytes',
  getPageAsset: 'bytes',
  getDocs: 'bytes',
};

export interface EtagPorts {
  readonly documents: Documents;
  readonly feeds: SoldFeeds;
  readonly events: SoldEvents;
  /** The state of the data. */
  readonly readHealth: () => Promise<object>;
  readonly readTable: () => Promise<CoverageTable>;
  readonly now: () => Date;
}

/** The script of the reference is megabytes of text, so texts are not written as JSON first. */
function digestOf(documents: Documents): string {
  const hash = createHash('sha256');
  for (const [name, document] of Object.entries(documents)) {
    hash.update(`\n${name} `).update(typeof document === 'string' ? document : (JSON.stringify(document) ?? ''));
  }
  return hash.digest('base64url');
}

const digestOfTable = memoizeLast((table: CoverageTable) =>
  createHash('sha256')
    .update(JSON.stringify([...table]))
    .digest('base64url'),
);

const textOfHealth = memoizeLast((health: object) => JSON.stringify(health));

/** Creates the function that reads an operation's ETag inputs without running it; undefined for bytes. */
export function createEtagInputs({ documents, feeds, events, readHealth, readTable, now }: EtagPorts) {
  const digest = digestOf(documents);
  const read: Readonly<Record<EtagInput, (query: object) => string | Promise<string>>> = {
    deals: () => feedRevision(feeds.deals),
    signals: () => feedRevision(feeds.signals),
    auctions: () => feedRevision(feeds.auctions),
    leads: () => feedRevision(feeds.leads),
    day: () => daysAt(now()),
    date: () => now().toISOString().slice(0, 10),
    minute: () => String(Math.floor(now().getTime() / 60_000)),
    health: async () => textOfHealth(await readHealth()),
    documents: () => digest,
    events: (query) => eventsRevision(events, query, now()),
    coverage: async () => digestOfTable(await readTable()),
  };
  return ({ operationId }: ContractOperation): ReadRevision | undefined => {
    // The contract's operations are those of the generated types.
    const inputs = inputsOf[operationId as OperationId];
    if (inputs === 'bytes') return undefined;
    return async (query) => {
      const texts: string[] = [];
      for (const input of inputs) {
        const text = read[input](query);
        texts.push(typeof text === 'string' ? text : await text);
      }
      return texts.join(' ');
    };
  };
}
