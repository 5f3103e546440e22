import { privateKeyToAccount } from 'viem/accounts';
import type { TestAccount } from '../../src/payments/chain/well-known-accounts.js';
import { type ChallengeBody, encodePayment, signPayment } from '../support/pay.js';
import { signInMessage, type SignInInfo } from '../support/sign-in-message.js';

/** Who pays, and how much at most for one call. */
export interface Purse {
  /** Signs what a 402 asks for; `identifier`: the payment's own, by the extension payment-identifier. */
  readonly sign: (challenge: Pick<ChallengeBody, 'accepts'>, identifier?: string) => Promise<string>;
  /** Signs what a 402 of the payment status asks for: the SIGN-IN-WITH-X header. */
  readonly signIn: (challenge: SignInChallenge) => Promise<string>;
  /** Atomic units. */
  readonly maxPerCall: bigint;
}

/** The 402 of the payment status. */
export interface SignInChallenge {
  readonly extensions: {
    readonly 'sign-in-with-x': {
      readonly info: SignInInfo;
      readonly supportedChains: readonly { readonly chainId: string; readonly type: string }[];
    };
  };
}

/** The purse of an account. */
export function createPurse({ address, privateKey }: TestAccount, maxPerCall: bigint): Purse {
  const account = privateKeyToAccount(privateKey);
  return {
    maxPerCall,
    sign: (challenge, identifier) =>
      signPayment(challenge, {
        signer: { address, privateKey },
        ...(identifier === undefined ? {} : { alter: (payload) => withIdentifier(payload, identifier) }),
      }),
    async signIn({
      extensions: {
        'sign-in-with-x': { info, supportedChains },
      },
    }) {
      const chain = supportedChains.find(({ chainId }) => chainId.startsWith('eip155:'))?.chainId ?? '';
      const message = signInMessage(info, address, Number(chain.split(':')[1]));
      const signature = await account.signMessage({ message });
      return encodePayment({ ...info, address, chainId: chain, type: 'eip191', signature });
    },
  };
}

/** Source: the extension payment-identifier of x402 v2. */
function withIdentifier(payload: Record<string, unknown>, id: string): Record<string, unknown> {
  return { ...payload, extensions: { 'payment-identifier': { info: { required: false, id } } } };
}
