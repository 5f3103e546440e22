import type { ChainClient } from '../../chain/clients.js';
import type { Authorization, AuthorizationVerifier, Hex } from '../../chain/eip3009.js';
import { lowerHex } from '../../chain/eip3009.js';
import type { Network } from '../../chain/networks.js';
import type { Log } from '../../log.js';
import type { SettleOutcome, Settler } from '../settler.js';
import { createRelayer } from './relayer.js';
import type { SignedTransaction } from './relayer.js';
import { settleTransfer, transferGas } from './settle-transfer.js';
import { createSimulator } from './simulator.js';
import { verifyTransfer } from './verify-transfer.js';

/**
 * Settles payments itself: verifies by simulating the real transfer, settles with one transaction per payment from its
 * own key, and believes only the token's logs.
 *
 * Refuses with codes of x402, and with `nonce_used` while verifying. A settlement fails with `unexpected_settle_error`
 * when surely nothing was sent, so that the authorization is as good as before.
 *
 * @param options.relayerKey pays the gas; no other program may use it
 * @param options.onRawTransaction keeps the signed transaction before it is sent; when it fails, nothing is sent
 * @param options.timeoutMs how long a settlement may take before it is unknown; shorter than the lease of a claim
 */
export function createSelfSettler(options: {
  readonly client: ChainClient;
  readonly relayerKey: Hex;
  readonly network: Network;
  readonly payTo: Hex;
  readonly verifier: AuthorizationVerifier;
  readonly now: () => Date;
  readonly log: Pick<Log, 'warn'>;
  readonly onRawTransaction?: (authorization: Authorization, transaction: SignedTransaction) => Promise<void>;
  readonly timeoutMs?: number;
}): Settler {
  const { client, network, now, relayerKey, timeoutMs = 30_000 } = options;
  const { asset, chainId } = network;
  // A local node mines on demand: its newest block may be hours old, and with it the clock of a simulation.
  const blockTag = network.isLocal ? 'pending' : 'latest';
  // Tried alone, a call may use what it will be sent with, and Multicall3 a little for itself.
  const simulator = createSimulator({ client, asset, blockTag, gas: transferGas + 50_000n });
  const relayer = createRelayer({ client, privateKey: relayerKey, chainId, now });
  const closing = new AbortController();
  const keep = options.onRawTransaction ?? (() => Promise.resolve());
  const ports = { ...options, asset, simulator, relayer, closing: closing.signal, timeoutMs, keep };
  const inFlight = new Map<string, Promise<SettleOutcome>>();

  return {
    verify: (authorization) => verifyTransfer(ports, authorization),
    settle(authorization) {
      const key = [lowerHex(authorization.from), lowerHex(authorization.nonce), authorization.value].join();
      const settling = inFlight.get(key) ?? settleTransfer(ports, authorization).finally(() => inFlight.delete(key));
      inFlight.set(key, settling);
      return settling;
    },
    async close() {
      closing.abort();
      simulator.close();
      await Promise.allSettled(inFlight.values());
    },
  };
}
