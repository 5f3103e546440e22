import type { DealIds } from '../../../generated/types.gen.js';
import type { Prover } from '../../contract/prover.js';
import type { LeadHolds } from '../../feeds/lead-holds.js';
import type { PageTokens } from '../../feeds/page-token.js';
import type { RenderSignalPage } from '../../records/feeds/signal-feed.js';
import type { SoldFeeds } from '../../records/feeds/sold-feeds.js';
import type { Handlers } from '../handler.js';
import { createBuyExclusiveLead } from './buy-exclusive-lead.js';
import { createExplainEmptyResult, type CoveragePorts } from './explain-empty-result.js';
import { createGetPage } from './get-page.js';
import { createGetReport, type ReportPorts } from './get-report.js';
import { createListAuctions } from './list-auctions.js';
import { createListBasicDeals } from './list-basic-deals.js';
import { createListDealIds } from './list-deal-ids.js';
import { createListDeals } from './list-deals.js';
import { createListHotDeals } from './list-hot-deals.js';
import { createListLeads } from './list-leads.js';
import { createListSignals } from './list-signals.js';
import { createLookUpAddress, type LookupPorts } from './look-up-address.js';

export interface DataPorts extends Pick<LookupPorts, 'readAt' | 'isBuildingSuppressed'> {
  readonly feeds: SoldFeeds;
  /** Holds on leads. */
  readonly leadHolds: LeadHolds;
  readonly renderSignals: RenderSignalPage;
  readonly tokens: PageTokens;
  readonly report: Omit<ReportPorts, 'feeds'>;
  readonly idsProver: Prover<DealIds>;
  readonly coverage: CoveragePorts;
  readonly now: () => Date;
}

/** The operations on feeds. */
export function createDataHandlers(ports: DataPorts) {
  const { feeds, leadHolds, renderSignals, tokens, now } = ports;
  const feed = feeds.deals;
  const explain = createExplainEmptyResult(ports.coverage);
  return {
    listDeals: createListDeals(feed),
    listHotDeals: createListHotDeals(feed),
    listBasicDeals: createListBasicDeals(feed),
    listDealIds: createListDealIds(feed, ports.idsProver),
    getReport: createGetReport({ feeds, ...ports.report }),
    lookUpAddress: createLookUpAddress(ports),
    listSignals: createListSignals(feeds.signals, renderSignals, explain),
    listAuctions: createListAuctions(feeds.auctions, now, explain),
    listLeads: createListLeads(feeds.leads, leadHolds, explain),
    buyExclusiveLead: createBuyExclusiveLead(feeds.leads, leadHolds, now, explain),
    getPage: createGetPage({ ...feeds, leadHolds, renderSignals, tokens, now }),
  } satisfies Partial<Handlers>;
}
