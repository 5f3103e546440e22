import { publicPath, priceLabel } from '../../contract/contract.js';
import type { DocumentInputs } from './document-inputs.js';

export interface X402Document {
  version: 1;
  x402Version: 2;
  /** The same operations as MCP tools. */
  mcp: { url: string; transport: 'streamable-http' };
  resources: string[];
  /** The signer of offers and receipts, and the id of its key. */
  offerReceipt?: { format: 'eip712'; signer: string; kid: string };
  items: { resource: string; method: 'GET'; description: string; price: string; network: string }[];
}

/** The priced addresses with price and network, and the key that signs offers and receipts. */
export function x402Discovery({
  contract,
  publicBaseUrl,
  network,
  receiptSigner: signer,
}: DocumentInputs): X402Document {
  const items = contract.operations
    .filter((operation) => operation.priceUsd !== undefined)
    .map((operation) => ({
      resource: publicBaseUrl + publicPath(operation.path),
      method: 'GET' as const,
      description: operation.summary,
      price: priceLabel(operation),
      network,
    }));
  return {
    version: 1,
    x402Version: 2,
    mcp: { url: `${publicBaseUrl}/mcp`, transport: 'streamable-http' },
    resources: items.map((item) => item.resource),
    // The chain in the key's id is that of the extension's EIP-712 domains: always 1.
    ...(signer !== undefined && { offerReceipt: { format: 'eip712', signer, kid: `did:pkh:eip155:1:${signer}` } }),
    items,
  };
}
