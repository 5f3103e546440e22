import { encodeFunctionData, prepareEncodeFunctionData } from 'viem';
import { lowerHex } from '../../chain/eip3009.js';
import type { Authorization, AuthorizationVerifier, Hex } from '../../chain/eip3009.js';
import { tokenAbi } from '../../chain/token-abi.js';

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
  const signature = lowerHex(authorization.signature);
  const v = readV(signature, () => verifier.isSignedByPayer(authorization));
  const terms = [from, to, value, validAfter, validBefore, nonce] as const;
  if (v === undefined) return encodeFunctionData({ ...withBytes, args: [...terms, signature] });
  const [r, s] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`] as const;
  return encodeFunctionData({ ...plain, args: [...terms, v, r, s] });
}

/** 0 and 1 mean 27 and 28 in a plain account's signature only: in a contract wallet's they may mean anything. */
function readV(signature: Hex, isPlain: () => boolean): number | undefined {
  if (signature.length !== 132) return undefined;
  const v = Number.parseInt(signature.slice(130), 16);
  if (v === 27 || v === 28) return v;
  return (v === 0 || v === 1) && isPlain() ? v + 27 : undefined;
}
