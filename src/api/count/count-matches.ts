import { type Contract, type ContractOperation, priceLabel } from '../../contract/contract.js';
import { ServiceError, type ParameterFault } from '../../errors.js';
import type { LeadHolds } from '../../feeds/lead-holds.js';
import type { SoldFeeds } from '../../records/feeds/sold-feeds.js';
import type { CoverageTable } from '../coverage/coverage-table.js';
import {
  auctionFilterFromQuery,
  dealFilterFromQuery,
  leadFilterFromQuery,
  signalFilterFromQuery,
} from '../data/filters-from-query.js';
import type { Handler, Query } from '../handler.js';
import { createCountEvents, type CountEventsPorts } from './count-events.js';
import { createCountFeed, type CountFeed } from './count-feed.js';
import { auctionMeasures, dealMeasures, leadMeasures, signalMeasures } from './measures.js';

/** What can be counted: the operations that sell it. */
export const countedOperations = {
  deals: 'listDeals',
  hot_deals: 'listHotDeals',
  basic_deals: 'listBasicDeals',
  signals: 'listSignals',
  auctions: 'listAuctions',
  leads: 'listLeads',
  exclusive_lead: 'buyExclusiveLead',
  events: 'listEvents',
} as const;

type Of = Query<'countMatches'>['of'];

export interface CountPorts extends CountEventsPorts {
  readonly feeds: SoldFeeds;
  readonly leadHolds: LeadHolds;
  readonly readTable: () => Promise<CoverageTable>;
  /** Counts a question of an address; the refusal where there were too many. */
  readonly limitCounts: (address: string) => ServiceError | undefined;
  /** The 503 while the feed of an operation was never published. */
  readonly findUnpublishedOf: (operation: ContractOperation) => (() => ServiceError | undefined) | undefined;
}

/** Parameters that say how records are shown, not which. */
const shown: readonly string[] = ['sort', 'order', 'view', 'limit'];

/** GET /api/count: how much a paid query would match, free, in bounds and bands. */
export function createCountMatches(ports: CountPorts): Handler<'countMatches'> {
  const { contract, leadHolds, limitCounts, readTable } = ports;
  const counters = createCounters(ports);
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));

  return async ({ query: { of, ...query }, address = '' }) => {
    const operation = operations.get(countedOperations[of]);
    if (operation === undefined) throw new Error(`The contract lacks ${countedOperations[of]}.`);
    const refusal = limitCounts(address) ?? findForeignFilter(operation, query, contract);
    if (refusal !== undefined) throw refusal;
    const unpublished = ports.findUnpublishedOf(operation)?.();
    if (unpublished !== undefined) throw unpublished;
    if (of === 'leads' || of === 'exclusive_lead') await leadHolds.refreshIfOld();
    const filters = Object.fromEntries(Object.entries(query).filter(([name]) => !shown.includes(name)));
    const counted = counters[of](filters, await readTable());
    const buy = addressOf(operation, query);
    return { status: 200, body: { of, ...counted, price: priceLabel(operation), buy } };
  };
}

function createCounters(ports: CountPorts): Readonly<Record<Of, CountFeed>> {
  const { feeds, now } = ports;
  const { deals, signals, auctions, leads } = feeds;
  const ofDeals = createCountFeed(deals, dealFilterFromQuery, dealMeasures);
  const ofLeads = createCountFeed(leads, leadFilterFromQuery, leadMeasures);
  const toHot = (query: Query<'listHotDeals'>) => ({ ...dealFilterFromQuery(query), hotOnly: true as const });
  return {
    deals: ofDeals,
    hot_deals: createCountFeed(deals, toHot, dealMeasures),
    basic_deals: ofDeals,
    signals: createCountFeed(signals, signalFilterFromQuery, signalMeasures),
    auctions: createCountFeed(auctions, (query) => auctionFilterFromQuery(query, now()), auctionMeasures),
    leads: ofLeads,
    exclusive_lead: ofLeads,
    events: createCountEvents(ports),
  };
}

/** The refusal of a filter that is one of other feeds. */
function findForeignFilter(
  { parameters }: ContractOperation,
  query: object,
  { operations }: Contract,
): ServiceError | undefined {
  const faults = Object.keys(query).flatMap((name): ParameterFault[] => {
    if (shown.includes(name) || parameters.some((each) => each.name === name)) return [];
    const having = Object.entries(countedOperations).filter(([, id]) =>
      operations.some((each) => each.operationId === id && each.parameters.some((own) => own.name === name)),
    );
    const detail = `a filter of ${having.map(([of]) => of).join(', ')} alone`;
    return [{ parameter: name, in: 'query', reason: 'unknown_parameter', detail }];
  });
  if (faults.length === 0) return undefined;
  return new ServiceError('unknown_parameter', 'Correct the parameters in `errors`.', { faults });
}

/** The address of the paid call that was counted. */
function addressOf({ path }: ContractOperation, query: object): string {
  const parts = Object.entries(query)
    .map(
      ([name, value]) =>
        `${name}=${[value]
          .flat()
          .map((item) => encodeURIComponent(String(item)))
          .join(',')}`,
    )
    .sort();
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}
