import { type Contract, type ContractOperation, priceLabel } from '../../contract/contract.js';
import { ServiceError, type ParameterFault } from '../../errors.js';
import type { PreviewAsked } from '../../operations/operation.js';
import type { MatchPreview } from '../../../generated/types.gen.js';
import type { LeadHolds } from '../../feeds/lead-holds.js';
import type { SoldFeeds } from '../../records/feeds/sold-feeds.js';
import type { CoverageTable } from '../coverage/coverage-table.js';
import {
  auctionFilterFromQuery,
  dealFilterFromQuery,
  leadFilterFromQuery,
  signalFilterFromQuery,
} from '../data/filters-from-query.js';
import type { ReadReport } from '../data/get-report.js';
import type { Handler, Query } from '../handler.js';
import { createCountEvents, type CountEventsPorts } from './count-events.js';
import { howShown } from '../../wire/how-shown.js';
import { createCountFeed, filtersIn, type CountFeed } from './count-feed.js';
import { auctionMeasures, dealMeasures, leadMeasures, signalMeasures } from './measures.js';
import { previewOfReport } from './preview-of-report.js';

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
  readonly readReport: ReadReport;
  readonly readTable: () => Promise<CoverageTable>;
  /** Counts a question of an address; the refusal where there were too many. */
  readonly limit: { take(address: string): ServiceError | undefined };
  /** The 503 while the feed of an operation was never published. */
  readonly findUnpublishedOf: (operation: ContractOperation) => (() => ServiceError | undefined) | undefined;
}

/** What is sold once: the count leaves out what is held. */
const leadsOnly: ReadonlySet<Of> = new Set(['leads', 'exclusive_lead']);

/** What is told, free, of the records that a paid query would deliver now. */
export interface Counts {
  /** GET /api/count: how much a paid query would match, in bounds and bands. */
  readonly countMatches: Handler<'countMatches'>;
  /** GET /api/deals/{id}/report/preview: which sections a report would have, in bands. */
  readonly previewReport: Handler<'previewReport'>;
  /** What the 402 of an operation tells; undefined for one that nobody can count. */
  previewOf(operation: ContractOperation): PreviewAsked | undefined;
}

/** Creates the counts of what is sold. */
export function createCounts(ports: CountPorts): Counts {
  const { contract, leadHolds, readReport, limit, readTable } = ports;
  const counters = createCounters(ports);
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));

  const previewReport = async (id: string) =>
    previewOfReport((await readReport(id)).body, priceLabel(byId('getReport')));

  function byId(id: string): ContractOperation {
    const operation = operations.get(id);
    if (operation === undefined) throw new Error(`The contract lacks ${id}.`);
    return operation;
  }

  return {
    async countMatches({ query: { of, ...query }, address = '' }) {
      const operation = byId(countedOperations[of]);
      const refusal = limit.take(address) ?? findForeignFilter(operation, query, contract);
      if (refusal !== undefined) throw refusal;
      const unpublished = ports.findUnpublishedOf(operation)?.();
      if (unpublished !== undefined) throw unpublished;
      if (leadsOnly.has(of)) await leadHolds.refreshIfOld();
      const counted = counters[of].count(filtersIn(query), await readTable());
      const buy = addressOf(operation.path, query);
      return { status: 200, body: { of, ...counted, price: priceLabel(operation), buy } };
    },
    async previewReport({ path: { id }, address = '' }) {
      const refusal = limit.take(address);
      if (refusal !== undefined) throw refusal;
      return { status: 200, body: await previewReport(id) };
    },
    previewOf({ operationId }) {
      if (operationId === 'getReport')
        return async ({ path }, address) =>
          limit.take(address) === undefined ? previewReport(String(path['id'])) : undefined;
      const of = (Object.keys(countedOperations) as Of[]).find((each) => countedOperations[each] === operationId);
      const preview = of && counters[of].preview;
      if (of === undefined || preview === undefined) return undefined;
      const known = new WeakMap<object, MatchPreview>();
      return async ({ query }, address) => {
        const filters = filtersIn(query);
        // What is asked without filters is counted once for each version, and tells nothing of a single record.
        if (Object.keys(filters).length > 0 && limit.take(address) !== undefined) return undefined;
        if (leadsOnly.has(of)) await leadHolds.refreshIfOld();
        const counted = preview(filters, await readTable());
        let told = known.get(counted);
        if (told === undefined) {
          told = { ...counted, url: addressOf('/api/count', filters, of) };
          known.set(counted, told);
        }
        return told;
      };
    },
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
    if (howShown.includes(name) || parameters.some((each) => each.name === name)) return [];
    const having = Object.entries(countedOperations).filter(([, id]) =>
      operations.some((each) => each.operationId === id && each.parameters.some((own) => own.name === name)),
    );
    const detail = `a filter of ${having.map(([of]) => of).join(', ')} alone`;
    return [{ parameter: name, in: 'query', reason: 'unknown_parameter', detail }];
  });
  if (faults.length === 0) return undefined;
  return new ServiceError('unknown_parameter', 'Correct the parameters in `errors`.', { faults });
}

/** The address of the paid call that was counted, or of the count of it. */
function addressOf(path: string, query: object, of?: Of): string {
  const parts = Object.entries(query)
    .map(
      ([name, value]) =>
        `${name}=${[value]
          .flat()
          .map((item) => encodeURIComponent(String(item)))
          .join(',')}`,
    )
    .sort();
  if (of !== undefined) parts.unshift(`of=${of}`);
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}
