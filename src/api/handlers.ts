import type { DealIds } from '../../generated/types.gen.js';
import type { Prover } from '../contract/prover.js';
import type { Documents } from '../pages/discovery/documents.js';
import type { LeadShelf } from '../feeds/lead-shelf.js';
import type { PageTokens } from '../feeds/page-token.js';
import { createBuyExclusiveLead } from './buy-exclusive-lead.js';
import { createCountChanges, type ChangesPorts } from './count-changes.js';
import { createListAuctions } from './list-auctions.js';
import { createListLeads } from './list-leads.js';
import { createListSources, type SourcesPorts } from './list-sources.js';
import { createListSignals } from './list-signals.js';
import { createLookUpAddress, type LookupPorts } from './look-up-address.js';
import type { ReadAt } from './published-records.js';
import type { RenderSignalPage } from '../records/signal-feed.js';
import type { SoldFeeds } from '../records/sold-feeds.js';
import { createDocumentHandlers } from './get-documents.js';
import { getHealth } from './get-health.js';
import { createGetHome, type HomePorts } from './get-home.js';
import { createGetMeta, type MetaPorts } from './get-meta.js';
import { createGetPage } from './get-page.js';
import { createPageHandlers } from './get-pages.js';
import { createGetPayment } from './get-payment.js';
import { createGetPaymentResponse } from './get-payment-response.js';
import { createGetReport, type ReportPorts } from './get-report.js';
import type { PageAsset } from '../pages/page-assets.js';
import type { PaymentDesk } from '../payments/payment-desk.js';
import { createGetReadiness, type FindObstacles } from './get-readiness.js';
import type { Handlers } from './handler.js';
import { createListBasicDeals } from './list-basic-deals.js';
import { createListDealIds } from './list-deal-ids.js';
import { createListDeals } from './list-deals.js';
import { createExplainNothing, type CoveragePorts } from './explain-nothing.js';
import { createListHotDeals } from './list-hot-deals.js';

export interface HandlerPorts {
  readonly feeds: SoldFeeds;
  /** Of the leads. */
  readonly shelf: LeadShelf;
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
  readonly desk: PaymentDesk;
  readonly idsProver: Prover<DealIds>;
  readonly findObstacles: FindObstacles;
  readonly coverage: CoveragePorts;
  /** Names of the feeds that were never published. */
  readonly listUnpublished: () => readonly string[];
  readonly now: () => Date;
}

/** A handler for every operation of the contract. */
export function createHandlers(ports: HandlerPorts): Handlers {
  const { feeds, shelf, renderSignals, tokens, now } = ports;
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
    listLeads: createListLeads(feeds.leads, shelf, explain),
    buyExclusiveLead: createBuyExclusiveLead(feeds.leads, shelf, now, explain),
    getPage: createGetPage({ ...feeds, shelf, renderSignals, tokens, now }),
    getPayment: createGetPayment(ports.desk),
    getPaymentResponse: createGetPaymentResponse(ports.desk),
    getHealth,
    getReadiness: createGetReadiness(ports.findObstacles, ports.listUnpublished),
    ...createDocumentHandlers(ports.documents, now),
    getHome: createGetHome({ ...ports.home, getMeta, listSources, feed }),
    ...createPageHandlers(ports.home.site, ports.assets),
  };
}
