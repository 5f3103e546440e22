import { toHex } from 'viem';
import { createChainHistory } from '../../payments/settlement/chain-history.js';
import { createObservedClient } from '../../payments/settlement/observed-client.js';
import { networks } from '../../wire/networks.js';
import type { PaymentChain } from '../../payments/settlement/connect-chain.js';
import { noEvidence } from '../../payments/settlement/resolve-open-payment.js';
import type { Log } from '../../log.js';
import { nextRelayer, payTo, receiptSigner, relayer } from './accounts.js';
import { createBlockMaker } from './block-maker.js';
import { startChain } from './start-chain.js';
import { createChainEvidence } from '../../payments/settlement/chain-evidence.js';
import type { Evidence } from '../../payments/settlement/resolve-open-payment.js';

export interface LocalChainOptions {
  /** Where the chain keeps its state. */
  readonly directory: string;
  /** The chain's program. Undefined: the one that was installed with the service. */
  readonly anvilPath: string | undefined;
  /** Milliseconds between two blocks while somebody pays. Undefined: one for each transaction, at once. */
  readonly blockMs: number | undefined;
  readonly now: () => Date;
  readonly log: Log;
}

/** Runs the demonstration's chain. Without its program the service still serves what is free, and says why. */
export async function openLocalChain({
  directory,
  anvilPath,
  blockMs,
  now,
  log,
}: LocalChainOptions): Promise<PaymentChain> {
  const network = networks.find((each) => each.isLocal);
  if (network === undefined) throw new Error('There is no local network');
  const base = {
    terms: { network, payTo: payTo.address },
    relayerKeys: [relayer.privateKey, nextRelayer.privateKey],
    receiptKey: receiptSigner.privateKey,
  };
  try {
    const chain = await startChain({ directory, log, ...(anvilPath !== undefined && { anvilBin: anvilPath }) });
    const mine = (blocks = 1) => chain.ask('anvil_mine', [toHex(blocks)]);
    await chain.ask('evm_setAutomine', [blockMs === undefined]);
    const maker = createBlockMaker({ mine, everyMs: blockMs });
    // What is tried or sent needs a block of now; to the other questions the blocks that there are will do.
    const beforeCall = async (body: string) => {
      if (/"eth_(?:call|sendRaw)/.test(body)) await maker.wake();
    };
    const client = createObservedClient({ rpcUrl: chain.rpcUrl, beforeCall });
    return {
      ...base,
      client,
      evidence: createLocalEvidence(createChainEvidence(client, network, { instance: chain.instanceId }), mine, now),
      history: createChainHistory(client, base.terms, { instance: chain.instanceId }),
      localRpcUrl: chain.rpcUrl,
      instance: chain.instanceId,
      obstacle: undefined,
      stop() {
        maker.close();
        return chain.stop();
      },
    };
  } catch (error) {
    const obstacle = error instanceof Error ? error.message : String(error);
    log.warn({ obstacle }, 'local chain not started; nothing can be bought');
    const none = { client: undefined, history: undefined, localRpcUrl: undefined, instance: '' };
    return { ...base, ...none, evidence: noEvidence, obstacle, stop: async () => undefined };
  }
}

/**
 * Evidence from the local chain. It rests while nobody pays, and an unused authorization would never be seen to have
 * expired: so blocks are made first until one of now is final, which is two deep.
 */
function createLocalEvidence(
  evidence: Evidence,
  mine: (blocks: number) => Promise<unknown>,
  now: () => Date,
): Evidence {
  async function advancePast(validBefore: readonly bigint[]): Promise<void> {
    const seconds = BigInt(Math.floor(now().getTime() / 1000));
    if (validBefore.some((end) => end <= seconds)) await mine(3);
  }
  return {
    isUsed: evidence.isUsed,
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
