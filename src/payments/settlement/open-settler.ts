import { privateKeyToAccount } from 'viem/accounts';
import type { Log } from '../../log.js';
import type { ChainClient } from '../chain/clients.js';
import { lowerHex, type AuthorizationVerifier, type Hex } from '../chain/eip3009.js';
import type { Network } from '../../wire/networks.js';
import type { RelayerStore } from './relayer/relayer-store.js';
import { createRelayerTally, type RelayerTally } from './relayer/relayer-tally.js';
import { createFacilitatorAuth, type FacilitatorCredentials } from './facilitator/facilitator-auth.js';
import { createFacilitatorClient, proofMs, type FacilitatorTimeouts } from './facilitator/facilitator-client.js';
import type { SoldResource } from './facilitator/facilitator-request.js';
import { createFacilitatorSettler } from './facilitator/facilitator-settler.js';
import { createLeasedSettler } from './relayer/leased-settler.js';
import { createSelfSettler } from './relayer/self-settler.js';
import type { Evidence } from './resolve-open-payment.js';
import type { TellProblem } from './settlement-problems.js';
import type { SettlementSettings } from './settlement-settings.js';
import { unavailable, type Settler, type SoldCall } from './settler.js';

export interface OpenSettler {
  readonly settler: Settler;
  /** The addresses of the usable relayer keys, the preferred one first. */
  readonly relayers: readonly Hex[];
  /** From now on settles with the relayer key of this address, or with none. */
  use(relayer: Hex | undefined): Promise<void>;
  /** The address of the key in use. */
  readonly current: () => Hex | undefined;
  readonly tally: RelayerTally;
  /** One more than the highest stored nonce of a relayer, as this process knows it. */
  readonly nextNonce: RelayerStore['nextNonce'];
}

/** The configured facilitators. */
export interface Facilitators {
  /** The first settles; all verify, in this order. */
  readonly facilitators: readonly (FacilitatorCredentials & { readonly url: string })[];
  readonly facilitatorTimeouts: FacilitatorTimeouts;
}

export interface SettlerPorts {
  /** Undefined without a chain. */
  readonly client: ChainClient | undefined;
  /** Empty when a facilitator settles. */
  readonly relayerKeys: readonly Hex[];
  readonly settlement: SettlementSettings;
  readonly facilitation: Facilitators | undefined;
  /** The description of a sold call for a facilitator. */
  readonly resourceOf: (sold: SoldCall) => SoldResource | undefined;
  readonly store: RelayerStore;
  readonly network: Network;
  readonly payTo: Hex;
  readonly verifier: AuthorizationVerifier;
  readonly evidence: Evidence;
  readonly problems: TellProblem;
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Opens the configured settler: the service itself with a leased relayer key, or a remote facilitator. Without a chain
 * or a key every payment is refused before anything is sent.
 */
export function openSettler(ports: SettlerPorts): OpenSettler {
  const { client, relayerKeys, settlement, problems, now } = ports;
  const { nextNonce } = ports.store;
  const tally = createRelayerTally();
  const keyless = { relayers: [], use: async () => undefined, current: () => undefined, nextNonce, tally };
  if (client === undefined) return { settler: unavailable, ...keyless };
  const keys = new Map(relayerKeys.map((key) => [lowerHex(privateKeyToAccount(key).address), key] as const));
  if (keys.size > 0) {
    const leased = createLeasedSettler((relayer) => {
      const relayerKey = keys.get(relayer);
      if (relayerKey === undefined) throw new Error('Only a configured key is leased');
      return createSelfSettler({ ...ports, client, relayerKey, tally, settings: settlement });
    }, problems);
    return { ...leased, relayers: [...keys.keys()], nextNonce, tally };
  }
  const { facilitators = [], facilitatorTimeouts: timeouts } = ports.facilitation ?? {};
  const [first, ...others] = facilitators.map(({ url, ...credentials }) =>
    createFacilitatorClient({
      url,
      authorize: createFacilitatorAuth(credentials, { now }),
      ...(timeouts && { timeouts }),
    }),
  );
  if (first === undefined || timeouts === undefined)
    throw new Error('Neither a relayer key nor a facilitator is configured');
  const settler = createFacilitatorSettler({
    ...ports,
    client,
    facilitators: [first, ...others],
    confirmations: settlement.confirmations,
    timeoutMs: timeouts.settleMs + proofMs,
  });
  return { settler, ...keyless };
}
