import type { DealIds } from '../../generated/types.gen.js';
import type { Prover } from '../contract/prover.js';
import type { Documents } from '../pages/discovery/documents.js';
import type { LeadHolds } from '../feeds/lead-holds.js';
import type { PageTokens } from '../feeds/page-token.js';
import { createBuyExclusiveLead } from './data/buy-exclusive-lead.js';
import { createCountChanges, type ChangesPorts } from './documents/count-changes.js';
import { createListAuctions } from './data/list-auctions.js';
import { createListLeads } from './data/list-leads.js';
import { createListSources, type SourcesPorts } from './documents/list-sources.js';
import { createListSignals } from './data/list-signals.js';
import { createLookUpAddress, type LookupPorts } from './data/look-up-address.js';
import type { ReadAt } from './data/published-records.js';
import type { RenderSignalPage } from '../records/feeds/signal-feed.js';
import type { SoldFeeds } from '../records/feeds/sold-feeds.js';
import { createDocumentHandlers } from './documents/get-documents.js';
import { getHealth } from './documents/get-health.js';
import { createGetHome, type HomePorts } from './pages/get-home.js';
import { createGetMeta, type MetaPorts } from './documents/get-meta.js';
import { createGetPage } from './data/get-page.js';
import { createPageHandlers } from './pages/get-pages.js';
import { createGetPayment } from './payments/get-payment.js';
import { createGetPaymentResponse } from './payments/get-payment-response.js';
import { createGetReport, type ReportPorts } from './data/get-report.js';
import type { PageAsset } from '../pages/page-assets.js';
import type { PaymentStatusService } from '../payments/status/payment-status.js';
import { createGetReadiness, type FindObstacles } from './documents/get-readiness.js';
import type { Handlers } from './handler.js';
import { createListBasicDeals } from './data/list-basic-deals.js';
import { createListDealIds } from './data/list-deal-ids.js';
import { createListDeals } from './data/list-deals.js';
import { createExplainNothing, type CoveragePorts } from './data/explain-nothing.js';
import { createListHotDeals } from './data/list-hot-deals.js';

export interface HandlerPorts {
  readonly feeds: SoldFeeds;
  /** Of the leads. */
  readonly leadHolds: LeadHolds;
  readonly readAt: ReadAt;
  readonly isBuildingSuppressed: LookupPorts['isBuildingSuppressed'];
  readonly renderSignals: RenderSignalPage;
  readonly tokens: PageTokens;
  readonly documents: Documents;
  readonly home: HomePorts;
  readonly assets: ReadonlyMap<string, PageAsset>;
  readonly meta: MetaPorts;
  readonly report: Omit<ReportPorts, 'feed'>;
  readonly sources: SourcesPorts;
  readonly readChanges: ChangesPorts['readChanges'];
  readonly paymentStatus: PaymentStatusService;
  readonly idsProver: Prover<DealIds>;
  readonly findObstacles: FindObstacles;
  readonly coverage: CoveragePorts;
  /** Names of the feeds that were never published. */
  readonly listUnpublished: () => readonly string[];
  readonly now: () => Date;
}

/** A handler for every operation of the contract. */
export function createHandlers(ports: HandlerPorts): Handlers {
  const { feeds, leadHolds, renderSignals, tokens, now } = ports;
  const feed = feeds.deals;
  const explain = createExplainNothing(ports.coverage);
  const getMeta = createGetMeta(ports.meta);
  const listSources = createListSources(ports.sources);
  return {
    getMeta,
    listDeals: createListDeals(feed),
    listHotDeals: createListHotDeals(feed),
    listBasicDeals: createListBasicDeals(feed),
    listDealIds: createListDealIds(feed, ports.idsProver),
    getReport: createGetReport({ feed, ...ports.report }),
    lookUpAddress: createLookUpAddress(ports),
    listSources,
    countChanges: createCountChanges(ports),
    listSignals: createListSignals(feeds.signals, renderSignals, explain),
    listAuctions: createListAuctions(feeds.auctions, now, explain),
    listLeads: createListLeads(feeds.leads, leadHolds, explain),
    buyExclusiveLead: createBuyExclusiveLead(feeds.leads, leadHolds, now, explain),
    getPage: createGetPage({ ...feeds, leadHolds, renderSignals, tokens, now }),
    getPayment: createGetPayment(ports.paymentStatus),
    getPaymentResponse: createGetPaymentResponse(ports.paymentStatus),
    getHealth,
    getReadiness: createGetReadiness(ports.findObstacles, ports.listUnpublished),
    ...createDocumentHandlers(ports.documents, now),
    getHome: createGetHome({ ...ports.home, getMeta, listSources, feed }),
    ...createPageHandlers(ports.home.site, ports.assets),
  };
}
