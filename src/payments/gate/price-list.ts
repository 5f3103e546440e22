import type { Contract } from '../../contract/contract.js';
import { toAtomicUnits } from '../chain/token-amount.js';

/** Price of each priced operation in atomic units of the dollar token, by operationId. */
export type PriceList = ReadonlyMap<string, bigint>;

/** Reads the prices from the contract, their only source. @throws RangeError when a price would lose a digit. */
export function createPriceList(contract: Contract): PriceList {
  return new Map(
    contract.operations.flatMap(({ operationId, priceUsd }) =>
      priceUsd === undefined ? [] : [[operationId, toAtomicUnits(priceUsd)] as const],
    ),
  );
}
