import type { Log } from '../../../log.js';
import type { ChainClient } from '../../chain/clients.js';
import type { AuthorizationVerifier, Hex } from '../../chain/eip3009.js';
import type { Network } from '../../../wire/networks.js';
import type { RelayerStore } from './relayer-store.js';
import type { Pause } from '../pause.js';
import type { TellProblem } from '../settlement-problems.js';
import type { SettlementSettings } from '../settlement-settings.js';
import type { Settler } from '../settler.js';
import { createTransferSimulator } from '../verify-transfer.js';
import { createFeeReader } from './fee-reader.js';
import { createPayerCodeReader } from './payer-code.js';
import { createRelayer } from './relayer.js';
import type { RelayerTally } from './relayer-tally.js';
import { createTransferSettler } from './settle-transfer.js';
import { createSettlementWindow } from './settlement-window.js';
import { createTransactionSigner } from './transmitter.js';

/** A settler that pays the gas itself. */
export interface SelfSettler extends Settler {
  /** Brings to the chain what an earlier process left. */
  start(): void;
}

/**
 * Settles payments itself: verifies by simulating the real transfer, settles from its own key, several payments in one
 * transaction where they come together, and believes only the token's logs.
 *
 * Refuses with codes of x402, and with `nonce_used` while verifying. A settlement fails with `unexpected_settle_error`
 * when surely nothing was sent, so that the authorization is as good as before. One whose outcome was not known in time
 * is still at work: asked for again, it is the same settlement.
 *
 * @param options.relayerKey pays the gas; no other program may use it
 * @param options.timeoutMs how long a settlement may take before it is unknown; shorter than the lease of a claim
 */
export function createSelfSettler(options: {
  readonly client: ChainClient;
  readonly relayerKey: Hex;
  readonly network: Network;
  readonly payTo: Hex;
  readonly verifier: AuthorizationVerifier;
  readonly store: RelayerStore;
  readonly settings: SettlementSettings;
  readonly problems: TellProblem;
  readonly tally: RelayerTally;
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly log: Pick<Log, 'warn'>;
  readonly timeoutMs?: number;
  readonly pause?: Pause;
}): SelfSettler {
  const { client, network, settings, timeoutMs = 30_000 } = options;
  const { asset, chainId } = network;
  const simulator = createTransferSimulator(client, network, options);
  const signer = createTransactionSigner(options.relayerKey, chainId);
  const fees = createFeeReader({ ...options, capWei: settings.maxFeeWei });
  const relayer = createRelayer({ ...options, ...settings, signer, fees });
  const window = createSettlementWindow({ ...options, ...settings, relayer, asset });
  const payerCode = createPayerCodeReader({ ...options, relayer: signer.address, fees });
  const { follow } = relayer;
  const transfers = createTransferSettler({ ...options, asset, simulator, window, follow, payerCode, timeoutMs });

  return {
    by: transfers.by,
    verify: transfers.verify,
    settle: transfers.settle,
    start: relayer.start,
    async close() {
      simulator.close();
      window.close();
      await relayer.close();
      await transfers.close();
    },
  };
}
