import type { Deal, DealCoverage, Lead, Meta } from '../../generated/types.gen.js';
import { readRendered } from '../contract/rendered.js';
import { type Contract, priceLabel } from '../contract/contract.js';
import { ServiceError } from '../errors.js';
import {
  confidenceRules,
  creativeRules,
  dealScoreRules,
  motivationRules,
  rentalRules,
  wholesaleRules,
} from '../deals/scoring/rule-sets.js';
import { foldCity } from '../feeds/query/place-match.js';
import type { FeedPage } from '../feeds/feed.js';
import { todaysAt } from '../places/metros/local-date-of.js';
import type { SourceHealth } from '../sources/judge-freshness.js';
import { assumptionSet } from '../underwriting/assumption-set.js';
import { grounds } from '../underwriting/grounds.js';
import { plausibilityRules } from '../underwriting/plausibility.js';
import type { UnderwritingHealth } from '../underwriting/underwriting-health.js';
import type { DealFeed, LeadFeed, SoldFeeds } from './feeds/sold-feeds.js';
import { assumptionSetToWire } from './report/assumption-set.js';
import { auctionCoverage, signalCoverage } from './feeds/feed-coverage.js';
import { reportUrl } from './report/report-url.js';
import { underwritingToWire } from './underwriting-state.js';

export interface MetaInputs {
  readonly contract: Contract;
  readonly recordSchemaNotes: Meta['record_schema_notes'];
  readonly feeds: SoldFeeds;
  readonly countRetired: () => Promise<number>;
  readonly network: string;
  readonly receiptSigner: string | undefined;
  readonly demonstration: boolean;
  readonly sources: SourceHealth;
  readonly underwriting: UnderwritingHealth;
  readonly now: Date;
}

export const guarantee =
  'Every field is typed; every absent value carries a typed reason; a paid query that matches nothing is a 404 and not billed; each call is charged exactly once; whoever paid gets the data.';
const sampleCount = 3;
const dayMs = 86_400_000;
const notYet = { reason: 'not_yet_observed' } as const;

/** The discovery metadata, field by field as the specification lists it. */
export async function composeMeta(inputs: MetaInputs): Promise<Meta> {
  const { contract, feeds, now } = inputs;
  const { title, summary } = contract.document.info;
  const today = new Date(now).setUTCHours(0, 0, 0, 0);
  const published = Object.values(feeds).map((feed) => feed.current().publishedAt.getTime());
  const deals = await samplesOf(feeds.deals.page('full', { filter: {}, limit: sampleCount }));
  return {
    name: title,
    description: `${String(summary)} Active listings across 29 US metros with typed underwriting on HUD rents and three-path scoring.`,
    guarantee,
    data_class: inputs.demonstration ? 'demonstration' : 'live',
    coverage: dealCoverage(feeds.deals, await inputs.countRetired()),
    refresh_cadence: 'Listings daily; underwriting every 2 days.',
    pricing: pricing(inputs),
    record_schema_notes: inputs.recordSchemaNotes,
    filters: dealFilters(contract),
    signals_feed: {
      note: 'County tax-delinquency records with owner, parcel, amount and the public record on every row, largest amount first.',
      coverage: signalCoverage(feeds.signals),
      filters: filterNames(contract, 'listSignals'),
    },
    auctions_feed: {
      note: 'Sheriff-sale foreclosure auctions, soonest first; past sales only with include_past=true.',
      coverage: auctionCoverage(feeds.auctions, now),
      filters: filterNames(contract, 'listAuctions'),
    },
    free_samples: {
      deals,
      signals: await samplesOf(feeds.signals.page('full', { filter: { hasAddress: true }, limit: sampleCount })),
      auctions: await samplesOf(feeds.auctions.page('full', { filter: { todays: todaysAt(now) }, limit: sampleCount })),
      leads: await leadSamples(feeds.leads),
    },
    example_report: exampleReport(deals),
    assumption_set: assumptionSetToWire(assumptionSet),
    assumption_grounds: { ...grounds },
    rules: rulesToWire(),
    permitted_use:
      'Analysis of properties and markets, and redistribution of derived figures with the attribution of each record. Not for decisions about credit, insurance, employment or tenancy of persons, and not for lists of persons.',
    feed_versions: {
      deals: feeds.deals.current().version,
      signals: feeds.signals.current().version,
      auctions: feeds.auctions.current().version,
      leads: feeds.leads.current().version,
    },
    underwriting: underwritingToWire(inputs.underwriting),
    sources: sourcesBehind(inputs.sources),
    changes: {
      note: 'Deals that were added, removed and repriced since a moment, by state: counts only, free, so that you know whether a call is worth its price.',
      url: `/api/changes?since=${new Date(today - 7 * dayMs).toISOString()}`,
    },
    // Not the moment of the request: the same ETag names the same bytes, on every instance.
    generated_at: new Date(Math.max(today, ...published)).toISOString(),
  };
}

/** The weights and limits of all rules of scores and statuses, by version. */
function rulesToWire(): Meta['rules'] {
  const { suspectRentMultiple, capNoiTolerancePct } = assumptionSet;
  const { version, thresholds } = plausibilityRules;
  const plausible = {
    ...thresholds,
    rent_multiple_min: suspectRentMultiple,
    cap_noi_tolerance_pct: capNoiTolerancePct,
  };
  const paths = [rentalRules, wholesaleRules, creativeRules];
  const rules = [...paths, dealScoreRules, confidenceRules, motivationRules, { version, thresholds: plausible }];
  return Object.fromEntries(rules.map((rule) => [rule.version, { ...rule.thresholds }]));
}

function sourcesBehind({ configured, behind }: SourceHealth): Meta['sources'] {
  return {
    note: 'Where the data comes from, free. A source that is late or failed is named here until it has worked again; what it brought is still sold, and each record says how old it is.',
    url: '/api/sources',
    configured,
    behind: behind.map(({ name, delivers, status, lastSuccessAt }) => ({
      name,
      delivers,
      status,
      last_success: lastSuccessAt?.toISOString() ?? null,
      absent: lastSuccessAt === undefined ? { last_success: notYet } : {},
    })),
  };
}

function dealCoverage(feed: DealFeed, retired: number): DealCoverage {
  const deals = [...feed.shown()];
  const verified = deals.map((deal) => deal.lastVerified.getTime());
  const counted = {
    total_records: retired + deals.length,
    active_records: deals.length,
    hot: deals.filter((deal) => deal.rentalStatus === 'Hot').length,
    warm: deals.filter((deal) => deal.rentalStatus === 'Warm').length,
    dscr_computed: deals.filter((deal) => deal.dscrComputed).length,
    cities: new Set(deals.map((deal) => `${deal.state} ${foldCity(deal.city)}`)).size,
  };
  if (deals.length === 0) {
    return {
      ...counted,
      freshest_verification: null,
      oldest_active_verification: null,
      absent: { freshest_verification: notYet, oldest_active_verification: notYet },
    };
  }
  const extreme = (pick: (a: number, b: number) => number) =>
    new Date(verified.reduce((a, b) => pick(a, b))).toISOString();
  return {
    ...counted,
    freshest_verification: extreme(Math.max),
    oldest_active_verification: extreme(Math.min),
    absent: {},
  };
}

function pricing({ contract, network, receiptSigner }: MetaInputs): Meta['pricing'] {
  const prices = contract.operations.map((operation) => [`GET ${operation.path}`, priceLabel(operation)] as const);
  return {
    ...Object.fromEntries(prices),
    protocol: 'x402 v2, scheme exact, USDC by EIP-3009',
    network,
    ...(receiptSigner !== undefined && { receipt_signer: receiptSigner }),
  };
}

function dealFilters(contract: Contract): Meta['filters'] {
  return {
    note: 'Filters of /api/deals and /api/deals/basic, combined with AND. A filtered call costs the same; one that matches nothing is a 404 and free.',
    params: filterNames(contract, 'listDeals'),
    example: '/api/deals?state=OH&min_cap=8&min_units=4',
  };
}

export function filterNames(contract: Contract, operationId: string): string[] {
  const operation = contract.operations.find((each) => each.operationId === operationId);
  return (operation?.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name);
}

/** The first records, exactly as in the paid feed; none when the feed is unavailable. */
async function samplesOf<Record>(page: Promise<FeedPage<Record>>): Promise<Record[]> {
  try {
    return readRendered((await page).body);
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

/** The lowest ranked leads: the best are sold exclusively and not given away. */
async function leadSamples(leads: LeadFeed): Promise<Lead[]> {
  const bodies = await leads.read('full', leads.last(sampleCount));
  return bodies.flatMap((body) => (body === undefined ? [] : readRendered(body)));
}

/** The report of the best deal. */
function exampleReport([best]: readonly Deal[]): Meta['example_report'] {
  const note =
    'One decision-ready report per deal: underwriting, scores by component, offer range, sensitivity, market. Official clients refuse more than $1 by default; raise their limit to buy it.';
  return best === undefined
    ? { note, url: null, property: null, absent: { url: notYet, property: notYet } }
    : { note, url: reportUrl(best.id), property: propertyLine(best), absent: {} };
}

/** The parts of a deal's address that its record states, in one line. */
function propertyLine({ address, city, state, zip }: Deal): string {
  return [address, city, zip === null ? state : `${state} ${zip}`].filter((part) => part !== null).join(', ');
}
