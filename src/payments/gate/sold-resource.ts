import type { Contract, ContractDocument, ContractOperation } from '../../contract/contract.js';
import { pathOf } from '../../contract/paths.js';
import type { SoldResource } from '../settlement/facilitator/facilitator-request.js';
import type { SoldCall } from '../settlement/settler.js';
import { createDeclareForBazaar } from './bazaar.js';

/** What is sold, as a PaymentRequired names it. */
export interface ResourceInfo {
  readonly url: string;
  readonly description: string;
  readonly mimeType: string;
  readonly serviceName: string;
}

/** Describes an operation by the contract's texts. `url`: the public address of what is asked for. */
export function describeResource(document: ContractDocument, operation: ContractOperation, url: string): ResourceInfo {
  return { url, description: operation.summary, mimeType: 'application/json', serviceName: document.info.title };
}

/**
 * The paid calls as they are told to a facilitator: by their concrete path, never by their query; undefined for an
 * operation without a price.
 */
export function createSoldResources(
  { document, operations }: Contract,
  publicBaseUrl: string,
): (sold: SoldCall) => SoldResource | undefined {
  const paid = new Map(
    operations
      .filter(({ priceUsd }) => priceUsd !== undefined)
      .map((operation) => [
        operation.operationId,
        { operation, declareForBazaar: createDeclareForBazaar(document, operation) },
      ]),
  );
  return ({ operationId, resource }) => {
    const found = paid.get(operationId);
    if (found === undefined) return undefined;
    const path = pathOf(resource);
    return {
      resource: describeResource(document, found.operation, publicBaseUrl + path),
      extensions: { bazaar: found.declareForBazaar(path, {}) },
    };
  };
}
