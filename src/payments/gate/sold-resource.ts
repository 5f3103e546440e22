import type { Contract, ContractDocument, ContractOperation } from '../../contract/contract.js';
import { pathOf } from '../../contract/paths.js';
import type { SoldResource } from '../settlement/facilitator/facilitator-request.js';
import type { SoldCall } from '../settlement/settler.js';
import { createDeclareForBazaar, createReadBazaarInput } from './bazaar.js';

/** The product of a PaymentRequired. */
export interface ResourceInfo {
  readonly url: string;
  readonly description: string;
  readonly mimeType: string;
  readonly serviceName: string;
  readonly tags?: readonly string[];
  readonly iconUrl?: string;
}

/** The longest description that a catalog shows. */
const maxDescription = 500;

/** Describes an operation by the contract's texts. `path`: the path of the request. */
export function describeResource(
  document: ContractDocument,
  operation: ContractOperation,
  publicBaseUrl: string,
  path = '',
): Required<ResourceInfo> {
  return {
    url: publicBaseUrl + path,
    description: describe(operation),
    mimeType: 'application/json',
    serviceName: document.info.title,
    tags: ['real-estate', ...operation.tags],
    iconUrl: `${publicBaseUrl}/favicon.svg`,
  };
}

/** The summary, the rule that an empty result is free, and as many parameters as fit. */
function describe({ summary, tool, parameters }: ContractOperation): string {
  const text = `${summary}. ${tool?.description ?? ''} Not billed when nothing is found.`;
  const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  if (names.length === 0) return text;
  const more = ' and more';
  let listed = '';
  for (const name of names) {
    const longer = listed === '' ? name : `${listed}, ${name}`;
    if (`${text} Parameters: ${longer}${more}.`.length > maxDescription) return `${text} Parameters: ${listed}${more}.`;
    listed = longer;
  }
  return `${text} Parameters: ${listed}.`;
}

/**
 * The descriptions of paid calls for a facilitator: by their concrete path, never by their query; undefined for an
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
        {
          operation,
          readInput: createReadBazaarInput(document, operation),
          declareForBazaar: createDeclareForBazaar(document, operation),
        },
      ]),
  );
  return ({ operationId, resource }) => {
    const found = paid.get(operationId);
    if (found === undefined) return undefined;
    const path = pathOf(resource);
    return {
      resource: describeResource(document, found.operation, publicBaseUrl, path),
      extensions: { bazaar: found.declareForBazaar(found.readInput(path, {})) },
    };
  };
}
