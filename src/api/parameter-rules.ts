import { type Contract, priceLabel } from '../contract/contract.js';
import type { ParameterRules } from '../operations/operation.js';
import type { DealFeed } from '../records/feeds/sold-feeds.js';
import { findAddressFault } from './data/look-up-address.js';
import { createFaultsOf } from './data/query-faults.js';
import { createEventFaults } from './events/event-faults.js';
import type { OperationId } from './handler.js';
import { createExplainInvalidDealId } from './data/deal-errors.js';

/** Rules for parameters beyond the contract's schemas, by operation. */
export function createParameterRules(
  contract: Contract,
  feed: DealFeed,
  now: () => Date,
): { readonly [K in OperationId]?: ParameterRules } {
  const report = contract.operations.find(({ operationId }) => operationId === 'getReport');
  const ofReport = { refusePath: createExplainInvalidDealId(feed, report === undefined ? '' : priceLabel(report)) };
  const faultsOf = createFaultsOf(now);
  return {
    getReport: ofReport,
    previewReport: ofReport,
    lookUpAddress: { faultsOf: { address: findAddressFault } },
    listDeals: { faultsOf },
    getDealsPage: { faultsOf },
    listHotDeals: { faultsOf },
    listBasicDeals: { faultsOf },
    listSignals: { faultsOf },
    listAuctions: { faultsOf },
    listLeads: { faultsOf },
    buyExclusiveLead: { faultsOf },
    listEvents: { faultsOf: createEventFaults(contract, faultsOf) },
    getCoverage: { faultsOf },
    // A count has no order.
    countMatches: { faultsOf: { ...faultsOf, since: faultsOf.first_seen_since, sort: () => undefined } },
  };
}
