import type { Validators } from '../../contract/validators.js';
import type { DealFilter } from '../../feeds/query/deal-kind.js';
import type { ReadPublished } from '../../feeds/store/place-reader.js';
import { createRenderSignalPage } from '../../records/feeds/signal-page.js';
import type { Handlers } from '../handler.js';
import { createBuyExclusiveLead } from './buy-exclusive-lead.js';
import { createExplainEmptyResult } from '../coverage/explain-empty-result.js';
import { describeNoDeals } from './describe-no-match.js';
import { createListEvents, type EventsPorts } from '../events/list-events.js';
import { createGetPage, type PagePorts } from './get-page.js';
import { createGetReport, type ReadReport } from './get-report.js';
import { createReadAt, type PlacedFeeds } from './published-records.js';
import { createListAuctions } from './list-auctions.js';
import { createListBasicDeals } from './list-basic-deals.js';
import { createListDealIds } from './list-deal-ids.js';
import { createListDeals } from './list-deals.js';
import { createListLeads } from './list-leads.js';
import { createListSignals } from './list-signals.js';
import { createLookUpAddress, type LookupPorts } from './look-up-address.js';

export interface DataPorts
  extends
    Pick<LookupPorts, 'feeds' | 'coverage'>,
    Pick<PagePorts, 'leadHolds' | 'tokens' | 'now'>,
    Pick<EventsPorts, 'events' | 'nextPublicationOf' | 'refresh'> {
  readonly publishers: PlacedFeeds;
  readonly readReport: ReadReport;
  readonly readPublished: ReadPublished;
  readonly validators: Validators;
}

/** The operations on feeds. */
export function createDataHandlers(ports: DataPorts) {
  const { feeds, publishers, leadHolds, validators, tokens, now } = ports;
  const renderSignals = createRenderSignalPage(validators);
  const feed = feeds.deals;
  const explain = createExplainEmptyResult(ports.coverage);
  const isKnownCity = (city: string) => feed.first({ city }) !== undefined;
  const explainNoDeals = (filter: DealFilter) => explain(feed, filter, describeNoDeals(filter, isKnownCity));
  const events = createListEvents({ ...ports, explain });
  return {
    listDeals: createListDeals(feed, explainNoDeals),
    // The specification's predicate: an advertised cap of 8.5% or more and a computed DSCR.
    listHotDeals: createListDeals(feed, explainNoDeals, { hotOnly: true }),
    listBasicDeals: createListBasicDeals(feed, explainNoDeals),
    listDealIds: createListDealIds(feed, validators),
    getReport: createGetReport(ports.readReport),
    lookUpAddress: createLookUpAddress({ ...ports, readAt: createReadAt(publishers, ports.readPublished) }),
    listSignals: createListSignals(feeds.signals, renderSignals, explain),
    listAuctions: createListAuctions(feeds.auctions, now, explain),
    listLeads: createListLeads(feeds.leads, leadHolds, explain),
    buyExclusiveLead: createBuyExclusiveLead(feeds.leads, leadHolds, now, explain),
    listEvents: events.list,
    getPage: createGetPage({ ...feeds, resumeEvents: events.resume, leadHolds, renderSignals, tokens, now }),
  } satisfies Partial<Handlers>;
}
