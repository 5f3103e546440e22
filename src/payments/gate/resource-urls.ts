import type { Contract } from '../../contract/contract.js';
import { publicPath } from '../../contract/public-path.js';

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
