import { type Contract, type ContractDocument, type ContractOperation, publicPath } from '../../contract/contract.js';
import type { SoldResource } from '../settlement/facilitator/facilitator-request.js';
import { declareForBazaar } from './bazaar.js';

/** What is sold, as a PaymentRequired names it: the operation, never its parameters. */
export interface ResourceInfo {
  readonly url: string;
  readonly description: string;
  readonly mimeType: string;
  readonly serviceName: string;
}

/** Describes an operation by the contract's texts alone. `url`: its public address, without a query. */
export function describeResource(document: ContractDocument, operation: ContractOperation, url: string): ResourceInfo {
  return { url, description: operation.summary, mimeType: 'application/json', serviceName: document.info.title };
}

/** The paid operations by their operationId, each as it is told to a facilitator; undefined for any other. */
export function createSoldResources(
  { document, operations }: Contract,
  publicBaseUrl: string,
): (operationId: string) => SoldResource | undefined {
  const paid = operations.filter(({ priceUsd }) => priceUsd !== undefined);
  const sold = new Map(
    paid.map((operation): [string, SoldResource] => {
      const [bazaar] = declareForBazaar(document, operation);
      const resource = describeResource(document, operation, publicBaseUrl + publicPath(operation.path));
      return [operation.operationId, { resource, extensions: { bazaar } }];
    }),
  );
  return (operationId) => sold.get(operationId);
}

/**
 * Names operations by their public address, without a query: what is paid for, as offers and receipts have it.
 *
 * @param publicBaseUrl without a trailing slash; asked for each time, as it may be known only once the server listens
 */
export function createResourceUrls(contract: Contract, publicBaseUrl: () => string): (operationId: string) => string {
  const paths = new Map(contract.operations.map(({ operationId, path }) => [operationId, publicPath(path)]));
  return (operationId) => {
    const path = paths.get(operationId);
    if (path === undefined) throw new Error(`${operationId} is no operation of this contract`);
    return publicBaseUrl() + path;
  };
}
