import type { Deal, DealCoverage, Meta } from '../../../generated/types.gen.js';
import { concatBytes } from '../../contract/rendered.js';
import type { Contract } from '../../contract/contract.js';
import { priceLabel } from '../../discovery/price-label.js';
import { foldPlace } from '../../feeds/feed-kind.js';
import { assumptionSet } from '../../underwriting/assumption-set.js';
import type { DealSnapshot } from '../deal-feed.js';
import { assumptionSetToWire } from './assumption-set.js';
import { propertyLine } from './property-line.js';
import { reportUrl } from './report-url.js';
import { recordSchemaNotes } from './record-schema-notes.js';
import { toTimestamp } from './timestamp.js';

export interface MetaInputs {
  readonly contract: Contract;
  readonly snapshot: DealSnapshot;
  readonly totalRecords: number;
  readonly network: string;
  readonly receiptSigner: string | undefined;
  readonly demonstration: boolean;
  readonly now: Date;
}

const sampleCount = 3;
const notYet = { reason: 'not_yet_observed' } as const;

/** The discovery metadata, field by field as the specification lists it. Feeds that are not sold yet say so. */
export function composeMeta(inputs: MetaInputs): Meta {
  const { contract, snapshot, now } = inputs;
  const { title, summary } = contract.document.info;
  return {
    name: title,
    description: `${String(summary)} Active listings across 29 US metros with typed underwriting on HUD rents and three-path scoring.`,
    guarantee:
      'Every field is typed; every absent value carries a typed reason; a paid query that matches nothing is a 404 and not billed; each call is charged exactly once; whoever paid gets the data.',
    data_class: inputs.demonstration ? 'demonstration' : 'live',
    coverage: dealCoverage(snapshot, inputs.totalRecords),
    refresh_cadence: 'Listings daily; underwriting every 2 days.',
    pricing: pricing(inputs),
    record_schema_notes: recordSchemaNotes,
    filters: dealFilters(contract),
    signals_feed: {
      note: 'County tax-delinquency records. Not sold yet: no price, no record.',
      coverage: { total_signals: 0, with_address: 0, counties: 0, freshest: null, absent: { freshest: notYet } },
      filters: [],
    },
    auctions_feed: {
      note: 'Sheriff-sale foreclosure auctions. Not sold yet: no price, no record.',
      coverage: {
        upcoming_sales: 0,
        next_sale_date: null,
        furthest_sale_date: null,
        counties: 0,
        freshest: null,
        absent: { next_sale_date: notYet, furthest_sale_date: notYet, freshest: notYet },
      },
      filters: [],
    },
    free_samples: { deals: samples(snapshot), signals: [], auctions: [], leads: [] },
    example_report: exampleReport(snapshot),
    assumption_set: assumptionSetToWire(assumptionSet),
    permitted_use:
      'Analysis of properties and markets, and redistribution of derived figures with the attribution of each record. Not for decisions about credit, insurance, employment or tenancy of persons, and not for lists of persons.',
    feed_versions: { deals: snapshot.version },
    generated_at: toTimestamp(now),
  };
}

function dealCoverage({ records: deals }: DealSnapshot, totalRecords: number): DealCoverage {
  const verified = deals.map((deal) => deal.lastVerified.getTime());
  const counted = {
    total_records: Math.max(totalRecords, deals.length),
    active_records: deals.length,
    hot: deals.filter((deal) => deal.rentalStatus === 'Hot').length,
    warm: deals.filter((deal) => deal.rentalStatus === 'Warm').length,
    dscr_computed: deals.filter((deal) => deal.dscrComputed).length,
    cities: new Set(deals.map((deal) => `${deal.state} ${foldPlace(deal.city)}`)).size,
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
    toTimestamp(new Date(verified.reduce((a, b) => pick(a, b))));
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
  const operation = contract.operations.find(({ operationId }) => operationId === 'listDeals');
  return {
    note: 'Filters of /api/deals and /api/deals/basic, combined with AND. A filtered call costs the same; one that matches nothing is a 404 and free.',
    params: (operation?.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => parameter.name),
    example: '/api/deals?state=OH&min_cap=8&min_units=4',
  };
}

/** The best deals, exactly as the paid feed gives them. */
function samples({ records }: DealSnapshot): Deal[] {
  return records
    .slice(0, sampleCount)
    .map(({ views: { full } }) => JSON.parse(Buffer.from(concatBytes(full)).toString('utf8')) as typeof full.value);
}

/** The report of the best deal. */
function exampleReport(snapshot: DealSnapshot): Meta['example_report'] {
  const [best] = samples(snapshot);
  const note =
    'One decision-ready report per deal: underwriting, scores by component, offer range, sensitivity, market. Official clients refuse more than $1 by default; raise their limit to buy it.';
  return best === undefined
    ? { note, url: null, property: null, absent: { url: notYet, property: notYet } }
    : { note, url: reportUrl(best.id), property: propertyLine(best), absent: {} };
}
