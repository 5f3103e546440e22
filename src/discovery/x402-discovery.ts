import type { Contract } from '../contract/contract.js';
import { priceLabel } from './price-label.js';

export interface X402Document {
  version: 1;
  x402Version: 2;
  resources: string[];
  items: { resource: string; method: 'GET'; description: string; price: string; network: string }[];
}

/** The addresses that ask for payment, with price and network. */
export function x402Discovery(contract: Contract, publicBaseUrl: string, network: string): X402Document {
  const items = contract.operations
    .filter((operation) => operation.priceUsd !== undefined)
    .map((operation) => ({
      resource: publicBaseUrl + operation.path,
      method: 'GET' as const,
      description: operation.summary,
      price: priceLabel(operation),
      network,
    }));
  return { version: 1, x402Version: 2, resources: items.map((item) => item.resource), items };
}
