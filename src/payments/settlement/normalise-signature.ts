import { lowerHex, type Authorization, type AuthorizationVerifier, type Hex } from '../chain/eip3009.js';

/**
 * The signature as a token takes it: a plain account's v as 27 or 28, also where its wallet writes 0 or 1. Any other
 * signature stays as it came, in lower case, for only the payer's own contract can say what it means (ERC-1271).
 */
export function normaliseSignature(authorization: Authorization, verifier: AuthorizationVerifier): Hex {
  const signature = lowerHex(authorization.signature);
  if (!/^0x[0-9a-f]{128}0[01]$/.test(signature) || !verifier.isSignedByPayer(authorization)) return signature;
  return `${signature.slice(0, -2) as Hex}${signature.endsWith('0') ? '1b' : '1c'}`;
}
