import { type Contract, priceLabel } from '../contract/contract.js';
import type { ParameterRules } from '../operations/operation.js';
import type { DealFeed } from '../records/feeds/sold-feeds.js';
import { findAddressFaults } from './data/look-up-address.js';
import type { OperationId } from './handler.js';
import { createExplainInvalidDealId } from './data/deal-errors.js';

/** Rules for parameters beyond the contract's schemas, by operation. */
export function createParameterRules(
  contract: Contract,
  feed: DealFeed,
): { readonly [K in OperationId]?: ParameterRules } {
  const report = contract.operations.find(({ operationId }) => operationId === 'getReport');
  return {
    getReport: { refusePath: createExplainInvalidDealId(feed, report === undefined ? '' : priceLabel(report)) },
    lookUpAddress: { findFaults: findAddressFaults },
  };
}
