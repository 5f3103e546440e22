import type { ContractOperation } from './contract.js';

/** The price of an operation for people: "$0.05" or "free". */
export function priceLabel(operation: ContractOperation): string {
  return operation.priceUsd === undefined ? 'free' : `$${operation.priceUsd}`;
}
