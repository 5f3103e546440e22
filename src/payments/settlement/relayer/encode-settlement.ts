import { encodeAggregate } from '../../chain/aggregate.js';
import type { Authorization, AuthorizationVerifier, Hex } from '../../chain/eip3009.js';
import { multicall3Address } from '../../chain/networks.js';
import { encodeTransfer } from './encode-transfer.js';
import type { Call } from './transaction-signer.js';

/**
 * Gas for one transfer sent alone: more than twice what a plain account's first payment uses on USDC, with room for a
 * contract wallet's own check. Explicit, since an estimate would cost a round trip and may be wrong by the time it is
 * used.
 */
export const transferGas = 400_000n;

/**
 * Gas for each transfer among others, and for the transaction around them. An estimate would be wrong: what fails in
 * silence needs little. A plain account's transfer uses about 50,000, its first to a new receiver 70,000.
 */
const sharedTransferGas = 110_000n;
const aroundGas = 100_000n;
/** No transaction may have more (EIP-7825). */
const maxTransactionGas = 16_777_216n;

/**
 * The transaction that settles these authorizations: one goes to the token itself, which is cheaper; more go together.
 */
export function encodeSettlement(
  authorizations: readonly Authorization[],
  { asset, verifier }: { readonly asset: Hex; readonly verifier: AuthorizationVerifier },
): Call {
  const [first, ...others] = authorizations.map((each) => ({
    target: asset,
    callData: encodeTransfer(each, verifier),
  }));
  if (!first) throw new Error('There is nothing to settle');
  if (others.length === 0) return { to: asset, data: first.callData, gas: transferGas };
  const gas = aroundGas + sharedTransferGas * BigInt(authorizations.length);
  return {
    to: multicall3Address,
    data: encodeAggregate([first, ...others]),
    gas: gas < maxTransactionGas ? gas : maxTransactionGas,
  };
}
