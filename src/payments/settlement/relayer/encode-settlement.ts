import { encodeFunctionData, prepareEncodeFunctionData } from 'viem';
import { encodeAggregate } from '../../chain/aggregate.js';
import {
  lowerHex,
  normalizeSignature,
  type Authorization,
  type AuthorizationVerifier,
  type Hex,
} from '../../chain/eip3009.js';
import { multicall3Address } from '../../../wire/networks.js';
import { tokenAbi } from '../../chain/token-abi.js';
import type { Call } from './nonce-book.js';

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
export const maxTransactionGas = 16_777_216n;

/**
 * The transaction that settles these authorizations: one goes to the token itself, which is cheaper; more go together.
 */
export function encodeSettlement(
  authorizations: readonly Authorization[],
  {
    asset,
    verifier,
    gas: ownGas = transferGas,
  }: { readonly asset: Hex; readonly verifier: AuthorizationVerifier; readonly gas?: bigint | undefined },
): Call {
  const [first, ...others] = authorizations.map((each) => ({
    target: asset,
    callData: encodeTransfer(each, verifier),
  }));
  if (!first) throw new Error('There is nothing to settle');
  if (others.length === 0) return { to: asset, data: first.callData, gas: ownGas };
  const gas = aroundGas + sharedTransferGas * BigInt(authorizations.length);
  return {
    to: multicall3Address,
    data: encodeAggregate([first, ...others]),
    gas: gas < maxTransactionGas ? gas : maxTransactionGas,
  };
}

const [plainForm, bytesForm] = tokenAbi;
/** Prepared, since viem would hash the name of the function for each transfer. */
const functionName = 'transferWithAuthorization';
const plain = prepareEncodeFunctionData({ abi: [plainForm], functionName });
const withBytes = prepareEncodeFunctionData({ abi: [bytesForm], functionName });

/**
 * The calldata that hands the authorization to the token. A plain account's signature goes as v, r, s, with v as the
 * token wants it, 27 or 28, which costs less gas; any other signature goes untouched in the overload with bytes, for
 * only the payer's smart contract can say what it means (ERC-1271).
 */
export function encodeTransfer(authorization: Authorization, verifier: AuthorizationVerifier): Hex {
  const { value, validAfter, validBefore } = authorization;
  // viem refuses mixed case that is not EIP-55; on the wire any case is an address.
  const [from, to] = [lowerHex(authorization.from), lowerHex(authorization.to)];
  const nonce = lowerHex(authorization.nonce);
  const signature = normalizeSignature(authorization, verifier);
  const terms = [from, to, value, validAfter, validBefore, nonce] as const;
  const [, r, s, v] = /^0x(.{64})(.{64})(1b|1c)$/.exec(signature) ?? [];
  if (v === undefined) return encodeFunctionData({ ...withBytes, args: [...terms, signature] });
  return encodeFunctionData({ ...plain, args: [...terms, Number.parseInt(v, 16), `0x${r}`, `0x${s}`] });
}
