import { encodeFunctionData, prepareEncodeFunctionData } from 'viem';
import { lowerHex } from '../../chain/eip3009.js';
import type { Authorization, AuthorizationVerifier, Hex } from '../../chain/eip3009.js';
import { tokenAbi } from '../../chain/token-abi.js';
import { normaliseSignature } from '../normalise-signature.js';

const [plainForm, bytesForm] = tokenAbi;
/** Prepared, since viem would hash the name of the function for each transfer. */
const functionName = 'transferWithAuthorization';
const plain = prepareEncodeFunctionData({ abi: [plainForm], functionName });
const withBytes = prepareEncodeFunctionData({ abi: [bytesForm], functionName });

/**
 * The calldata that hands the authorization to the token. A plain account's signature goes as v, r, s, with v as the
 * token wants it, 27 or 28, which costs less gas; any other signature goes untouched in the overload with bytes, for
 * only the payer's own contract can say what it means (ERC-1271).
 */
export function encodeTransfer(authorization: Authorization, verifier: AuthorizationVerifier): Hex {
  const { value, validAfter, validBefore } = authorization;
  // viem refuses mixed case that is not EIP-55; on the wire any case is an address.
  const [from, to] = [lowerHex(authorization.from), lowerHex(authorization.to)];
  const nonce = lowerHex(authorization.nonce);
  const signature = normaliseSignature(authorization, verifier);
  const terms = [from, to, value, validAfter, validBefore, nonce] as const;
  const [, r, s, v] = /^0x(.{64})(.{64})(1b|1c)$/.exec(signature) ?? [];
  if (v === undefined) return encodeFunctionData({ ...withBytes, args: [...terms, signature] });
  return encodeFunctionData({ ...plain, args: [...terms, Number.parseInt(v, 16), `0x${r}`, `0x${s}`] });
}
