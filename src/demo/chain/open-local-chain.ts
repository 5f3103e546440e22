import { createChainHistory } from '../../payments/settlement/chain-history.js';
import { createChainClient } from '../../payments/chain/clients.js';
import { networks } from '../../wire/networks.js';
import type { PaymentChain } from '../../payments/settlement/connect-chain.js';
import { noEvidence } from '../../payments/settlement/resolve-open-payment.js';
import type { Log } from '../../log.js';
import { payTo, receiptSigner, relayer } from './accounts.js';
import { createLocalEvidence } from './local-evidence.js';
import { startChain } from './start-chain.js';

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
