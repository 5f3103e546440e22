import { createChainHistory } from '../../payments/settlement/chain-history.js';
import { createChainClient, type ChainClient } from '../../payments/chain/clients.js';
import { networks, type Network } from '../../wire/networks.js';
import type { PaymentChain } from '../../payments/settlement/connect-chain.js';
import { noEvidence } from '../../payments/settlement/resolve-open-payment.js';
import type { Log } from '../../log.js';
import { payTo, receiptSigner, relayer } from './accounts.js';
import { startChain } from './start-chain.js';
import { createChainEvidence } from '../../payments/settlement/chain-evidence.js';
import type { Evidence } from '../../payments/settlement/resolve-open-payment.js';

export interface LocalChainOptions {
  /** Where the chain keeps its state. */
  readonly directory: string;
  /** The chain's program. Undefined: the one that was installed with the service. */
  readonly anvilPath: string | undefined;
  readonly now: () => Date;
  readonly log: Log;
}

/** Runs the demonstration's chain. Without its program the service still serves what is free, and says why. */
export async function openLocalChain({ directory, anvilPath, now, log }: LocalChainOptions): Promise<PaymentChain> {
  const network = networks.find((each) => each.isLocal);
  if (network === undefined) throw new Error('There is no local network');
  const base = {
    terms: { network, payTo: payTo.address },
    relayerKey: relayer.privateKey,
    receiptKey: receiptSigner.privateKey,
  };
  try {
    const chain = await startChain({ directory, log, ...(anvilPath !== undefined && { anvilBin: anvilPath }) });
    const client = createChainClient({ rpcUrl: chain.rpcUrl });
    return {
      ...base,
      client,
      evidence: createLocalEvidence(client, network, chain.instanceId, now),
      history: createChainHistory(client, base.terms, { instance: chain.instanceId }),
      localRpcUrl: chain.rpcUrl,
      instance: chain.instanceId,
      obstacle: undefined,
      stop: () => chain.stop(),
    };
  } catch (error) {
    const obstacle = error instanceof Error ? error.message : String(error);
    log.warn({ obstacle }, 'local chain not started; nothing can be bought');
    const none = { client: undefined, history: undefined, localRpcUrl: undefined, instance: '' };
    return { ...base, ...none, evidence: noEvidence, obstacle, stop: async () => undefined };
  }
}

/** Evidence from the local chain; mines blocks first when the chain is behind an authorization's end. */
function createLocalEvidence(client: ChainClient, network: Network, instance: string, now: () => Date): Evidence {
  const evidence = createChainEvidence(client, network, { instance });
  async function advancePast(validBefore: readonly bigint[]): Promise<void> {
    const seconds = BigInt(Math.floor(now().getTime() / 1000));
    if (validBefore.some((end) => end <= seconds)) await advanceChain(client);
  }
  return {
    async find(question) {
      await advancePast([question.validBefore]);
      return evidence.find(question);
    },
    async findMany(questions) {
      await advancePast(questions.map(({ validBefore }) => validBefore));
      return evidence.findMany(questions);
    },
  };
}

/** Anvil finalizes a block after this many more blocks. */
const finalityBlocks = 66;

/**
 * Mines blocks until the local chain's newest finalized block has the current time. A chain that mines on demand stops
 * while nobody pays, and an unused authorization would never be seen to have expired.
 */
async function advanceChain(client: ChainClient): Promise<void> {
  // A method of anvil's own: viem's types do not include it.
  await client.request({ method: 'anvil_mine', params: [`0x${finalityBlocks.toString(16)}`] } as never);
}
