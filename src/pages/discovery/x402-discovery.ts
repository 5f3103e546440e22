import { publicPath, priceLabel } from '../../contract/contract.js';
import type { DocumentInputs } from './document-inputs.js';

/** The priced addresses with price and network, and the key that signs offers and receipts. */
export function x402Discovery({ contract, publicBaseUrl, network, receiptSigner: signer }: DocumentInputs) {
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
    version: 1 as const,
    x402Version: 2 as const,
    /** The same operations as MCP tools. */
    mcp: { url: `${publicBaseUrl}/mcp`, transport: 'streamable-http' as const },
    resources: items.map((item) => item.resource),
    // The chain in the key's id is that of the extension's EIP-712 domains: always 1.
    ...(signer !== undefined && {
      offerReceipt: { format: 'eip712' as const, signer, kid: `did:pkh:eip155:1:${signer}` },
    }),
    items,
  };
}
