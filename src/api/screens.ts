import type { Contract } from '../contract/contract.js';
import { priceLabel } from '../discovery/price-label.js';
import type { Screen } from '../operations/operation.js';
import type { DealFeed } from './deal-feed.js';
import { createLookupScreen, type LookupPorts } from './look-up-address.js';
import type { OperationId } from './handler.js';
import { createReportScreen, type RefuseMissing } from './refuse-deal.js';

export interface ScreenPorts extends Pick<LookupPorts, 'isBuildingSuppressed'> {
  readonly contract: Contract;
  readonly feed: DealFeed;
  readonly refuseMissing: RefuseMissing;
}

/** What is refused before anybody is asked to pay, by operation. */
export function createScreens(ports: ScreenPorts): { readonly [K in OperationId]?: Screen } {
  const { contract, feed, refuseMissing, isBuildingSuppressed } = ports;
  const report = contract.operations.find(({ operationId }) => operationId === 'getReport');
  return {
    getReport: createReportScreen(feed, report === undefined ? '' : priceLabel(report), refuseMissing),
    lookUpAddress: createLookupScreen(isBuildingSuppressed),
  };
}
