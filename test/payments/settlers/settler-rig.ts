import { createChainClient } from '../../../src/chain/clients.js';
import { createAuthorizationVerifier } from '../../../src/chain/eip3009.js';
import { createSelfSettler } from '../../../src/payments/settlers/self-settler.js';
import type { Settler } from '../../../src/payments/settler.js';
import type { TestChain } from '../../support/chain.js';
import { startFlakyNode } from './flaky-node.js';
import type { Fate, FlakyNode } from './flaky-node.js';

export type SettlerOptions = Partial<Parameters<typeof createSelfSettler>[0]> & { readonly rpcUrl?: string };

/** Settlers on a test chain, closed together. */
export interface SettlerRig {
  createSettler(options?: SettlerOptions): Settler;
  /** A settler behind a line that `decide` makes bad. */
  createFlakySettler(
    decide: (method: string) => Fate,
    options?: SettlerOptions,
  ): Promise<{ readonly flaky: Settler; readonly node: FlakyNode }>;
  close(): Promise<void>;
}

export async function createSettlerRig(chain: TestChain): Promise<SettlerRig> {
  const verifier = await createAuthorizationVerifier(chain.domain);
  const open: { close(): Promise<void> }[] = [];

  function createSettler({ rpcUrl = chain.rpcUrl, ...options }: SettlerOptions = {}): Settler {
    const settler = createSelfSettler({
      client: createChainClient({ rpcUrl, timeoutMs: 5_000 }),
      relayerKey: chain.relayer.privateKey,
      network: chain.network,
      payTo: chain.payTo.address,
      verifier,
      now: () => new Date(),
      log: { warn: () => undefined },
      ...options,
    });
    open.push(settler);
    return settler;
  }

  return {
    createSettler,
    async createFlakySettler(decide, options = {}) {
      const node = await startFlakyNode(chain.rpcUrl, decide);
      const flaky = createSettler({ ...options, rpcUrl: node.rpcUrl });
      open.push({ close: () => node.stop() });
      return { flaky, node };
    },
    async close() {
      for (const { close } of open.splice(0)) await close();
    },
  };
}
