import type { ChainClient } from './payments/chain/clients.js';
import type { AuthorizationVerifier, Hex } from './payments/chain/eip3009.js';
import type { Network } from './payments/chain/networks.js';
import type { Config } from './config/config.js';
import type { Contract } from './contract/contract.js';
import type { Log } from './log.js';
import type { RelayerStore } from './payments/ledger/relayer-store.js';
import type { Evidence } from './payments/settlement/resolve-open-payment.js';
import type { Settler } from './payments/settlement/settler.js';
import { createFacilitatorAuth } from './payments/settlement/facilitator/facilitator-auth.js';
import {
  createFacilitatorClient,
  type FacilitatorClient,
} from './payments/settlement/facilitator/facilitator-client.js';
import { createFacilitatorSettler } from './payments/settlement/facilitator/facilitator-settler.js';
import { proofMs } from './payments/settlement/facilitator/facilitator-timeouts.js';
import { createFacilitatorWatch } from './payments/settlement/facilitator/facilitator-watch.js';
import { createSelfSettler } from './payments/settlement/relayer/self-settler.js';
import { unavailableSettler } from './payments/settlement/unavailable-settler.js';
import { createSoldResources } from './payments/gate/sold-resource.js';

export interface OpenSettler {
  readonly settler: Settler;
  /** Why it cannot settle now, in plain words; undefined when it can, as far as is known. */
  findObstacle(): string | undefined;
}

export interface SettlerPorts {
  readonly config: Config;
  readonly contract: Contract;
  /** Undefined when there is no chain to speak to. */
  readonly client: ChainClient | undefined;
  readonly relayerKey: Hex | undefined;
  readonly store: RelayerStore;
  readonly network: Network;
  readonly payTo: Hex;
  readonly verifier: AuthorizationVerifier;
  readonly evidence: Evidence;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Opens the settler that is configured: the service itself with a relayer key, or a remote facilitator.
 *
 * @throws OperatorError when the facilitator does not take our kind of payment
 */
export async function openSettler(ports: SettlerPorts): Promise<OpenSettler> {
  const { client, relayerKey, config, now } = ports;
  if (client === undefined) return { settler: unavailableSettler, findObstacle: () => undefined };
  if (relayerKey !== undefined) {
    const settler = createSelfSettler({ ...ports, client, relayerKey, settings: config.settlement });
    await settler.start();
    return { settler, findObstacle: () => settler.findObstacle() };
  }
  const { facilitators = [], facilitatorTimeouts: timeouts } = config.payment ?? {};
  const [first, ...others] = facilitators.map(({ url, ...credentials }) =>
    createFacilitatorClient({
      url,
      authorize: createFacilitatorAuth(credentials, { now }),
      ...(timeouts && { timeouts }),
    }),
  );
  if (first === undefined || timeouts === undefined)
    throw new Error('Neither a relayer key nor a facilitator is configured');
  return openFacilitators({ ...ports, client, timeoutMs: timeouts.settleMs + proofMs }, [first, ...others]);
}

async function openFacilitators(
  ports: SettlerPorts & { readonly client: ChainClient; readonly timeoutMs: number },
  facilitators: readonly [FacilitatorClient, ...FacilitatorClient[]],
): Promise<OpenSettler> {
  const { config, contract, network, log } = ports;
  const watch = createFacilitatorWatch({ facilitator: facilitators[0], networkId: network.id, log });
  await watch.start();
  const resourceOf = createSoldResources(contract, config.publicBaseUrl ?? '');
  const settler = createFacilitatorSettler({
    ...ports,
    facilitators,
    watch,
    resourceOf,
    confirmations: config.settlement.confirmations,
  });
  return { settler, findObstacle: () => watch.findObstacle() };
}
