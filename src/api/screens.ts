import type { Contract } from '../contract/contract.js';
import { priceLabel } from '../discovery/price-label.js';
import type { Screen } from '../operations/operation.js';
import type { DealFeed } from './deal-feed.js';
import { refuseAddress } from './look-up-address.js';
import type { OperationId } from './handler.js';
import { createReportScreen } from './refuse-deal.js';

/** What is refused before anybody is asked to pay, by operation. */
export function createScreens(contract: Contract, feed: DealFeed): { readonly [K in OperationId]?: Screen } {
  const report = contract.operations.find(({ operationId }) => operationId === 'getReport');
  return {
    getReport: createReportScreen(feed, report === undefined ? '' : priceLabel(report)),
    lookUpAddress: refuseAddress,
  };
}
