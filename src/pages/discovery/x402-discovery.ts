import { isForData, publicPath, priceLabel } from '../../contract/contract.js';
import type { DocumentInputs } from './document-inputs.js';
import { workedExample } from './worked-example.js';

/** What is sold, with price and network, what is free, one purchase worked out, and the key that signs receipts. */
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
    free: contract.operations
      .filter((operation) => isForData(operation) && operation.priceUsd === undefined)
      .map(({ path, summary }) => ({ resource: publicBaseUrl + publicPath(path), description: summary })),
    purchase: workedExample(contract),
  };
}
