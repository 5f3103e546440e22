import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, defineChain, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { startTestChain } from '../support/chain.js';
import { startOfficial, type MeasuredServer } from './servers.js';

/**
 * Counts this process's requests to its chain's node from now on. A plain node does not know
 * eth_sendRawTransactionSync (EIP-7966).
 */
export function countRpcCalls(rpcUrl: () => string | undefined, isPlainNode: boolean): () => number {
  const { fetch } = globalThis;
  let calls = 0;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const node = rpcUrl();
    if (node !== undefined && url.startsWith(node)) calls += 1;
    const body = typeof init?.body === 'string' ? init.body : '';
    if (isPlainNode && body.includes('eth_sendRawTransactionSync')) {
      const error = { code: -32601, message: 'Method not found' };
      return Promise.resolve(Response.json({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: number }).id, error }));
    }
    return fetch(input, init);
  };
  return () => calls;
}

/**
 * The official middleware with the official facilitator in its own process, on a local chain of its own. viem looks for
 * receipts every 50 ms, as often as this service does, instead of every four seconds.
 */
export async function startOfficialOnChain(records: unknown): Promise<MeasuredServer> {
  const chain = await startTestChain();
  const account = privateKeyToAccount(chain.relayer.privateKey);
  const wallet = createWalletClient({
    account,
    chain: defineChain({
      id: chain.network.chainId,
      name: chain.network.label,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [chain.rpcUrl] } },
    }),
    transport: http(chain.rpcUrl),
    pollingInterval: 50,
  }).extend(publicActions);
  const signer = toFacilitatorEvmSigner({ ...wallet, address: account.address } as never);
  const facilitator = new x402Facilitator().register(chain.network.id, new ExactEvmScheme(signer));
  const server = await startOfficial(records, {
    getSupported: async () => facilitator.getSupported(),
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
  });
  return {
    ...server,
    rpcUrl: chain.rpcUrl,
    async stop() {
      await server.stop();
      await chain.stop();
    },
  };
}
