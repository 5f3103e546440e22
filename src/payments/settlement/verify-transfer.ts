import {
  isUndeployedWallet,
  lowerHex,
  undeployedWallet,
  type Authorization,
  type AuthorizationVerifier,
  type Hex,
} from '../chain/eip3009.js';
import { describeFault } from './describe-fault.js';
import { encodeTransfer } from './relayer/encode-settlement.js';
import { readRefusal, type Refusal } from './relayer/read-refusal.js';
import type { Verdict } from './settler.js';
import type { Simulator } from './simulator.js';

export interface VerifyPorts {
  readonly simulator: Simulator;
  readonly verifier: AuthorizationVerifier;
  readonly payTo: Hex;
}

/** For a transfer that fails without a reason, as when a wallet's own check burns all gas. */
export const unexplained: Refusal = {
  reason: 'invalid_transaction_state',
  detail: 'The transfer fails, and the token does not say why.',
};

/**
 * The chain's verdict on an authorization: one simulated transfer holds signature, nonce, window, balance, pause and
 * blacklist. Never rejects: a node that cannot be asked is `unavailable`.
 */
export async function verifyTransfer(ports: VerifyPorts, authorization: Authorization): Promise<Verdict> {
  const fault = findFault(ports, authorization);
  if (fault) return { verdict: 'refused', ...fault };
  try {
    const simulation = await ports.simulator.simulate(encodeTransfer(authorization, ports.verifier));
    if (simulation.success) return { verdict: 'good', blockNumber: simulation.blockNumber };
    return { verdict: 'refused', ...(readRefusal(simulation.returnData) ?? unexplained) };
  } catch (error) {
    return { verdict: 'unavailable', detail: describeFault(error) };
  }
}

/** What needs no chain to be refused. The gate has looked already; where money moves it is looked at twice. */
export function findFault({ verifier, payTo }: VerifyPorts, authorization: Authorization): Refusal | undefined {
  if (verifier.digest(authorization) === undefined || !/^0x([0-9a-f]{2})*$/i.test(authorization.signature)) {
    return { reason: 'invalid_payload', detail: 'A field of the authorization does not fit its type.' };
  }
  if (lowerHex(authorization.to) !== lowerHex(payTo)) {
    return { reason: 'invalid_exact_evm_payload_recipient_mismatch', detail: `The authorization must pay ${payTo}.` };
  }
  if (isUndeployedWallet(authorization.signature))
    return { reason: 'invalid_exact_evm_payload_signature', detail: undeployedWallet };
  return undefined;
}
