import { createSiweMessage } from 'viem/siwe';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { WalletProof } from '../../src/payments/status/wallet-proof.js';

/** The payment status's challenge to a wallet. Source: the extension sign-in-with-x of x402 v2. */
export type SignInInfo = Omit<WalletProof, 'address' | 'chainId' | 'type' | 'signature'>;

/** The text that a wallet signs to sign in. */
export function signInMessage(info: SignInInfo, address: Hex, chainId: number): string {
  return createSiweMessage({
    ...info,
    resources: [...info.resources],
    address,
    chainId,
    issuedAt: new Date(info.issuedAt),
    expirationTime: new Date(info.expirationTime),
  });
}
