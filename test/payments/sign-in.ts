import assert from 'node:assert/strict';
import { privateKeyToAccount } from 'viem/accounts';
import { buyer } from '../../src/demo/chain/accounts.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { TestAccount } from '../../src/payments/chain/well-known-accounts.js';
import type { WalletProof } from '../../src/payments/status/wallet-proof.js';
import { encodePayment } from '../support/pay.js';
import { signInMessage, type SignInInfo } from '../support/sign-in-message.js';
import { assertRefused, type Answer } from './answer.js';
import type { Shop } from './shop.js';

/** A challenge of the x402 extension sign-in-with-x. */
export interface SignInRequest {
  readonly info: SignInInfo;
  readonly supportedChains: readonly { readonly chainId: string; readonly type: string }[];
}

/** The wallet that signs a challenge, by default the ordinary buyer's. */
export interface SigningWallet {
  readonly signer?: TestAccount;
  /** The payer, if not the signer: a contract wallet. */
  readonly from?: Hex;
}

/** The challenge in a refusal; undefined where it holds none. */
export function challengeIn({ problem }: Pick<Answer, 'problem'>): SignInRequest | undefined {
  const { extensions } = (problem ?? {}) as { extensions?: { 'sign-in-with-x'?: SignInRequest } };
  return extensions?.['sign-in-with-x'];
}

/** Asserts that nothing is sold and no payment asked for, but the proof of whoever has paid. Returns the challenge. */
export function assertAskedToSignIn(answer: Answer): SignInRequest {
  assertRefused(answer, 402, 'payment_already_used', 'SIGN-IN-WITH-X header is required');
  assert.deepEqual(answer.problem?.accepts, []);
  assert.equal(answer.problem.payment, 'unknown');
  assert.equal(answer.problem.retry_same_payment, true);
  const challenge = challengeIn(answer);
  assert.ok(challenge);
  return challenge;
}

/** Signs a challenge like a wallet. Returns the SIGN-IN-WITH-X header. */
export async function signIn(
  { info, supportedChains: [chain] }: SignInRequest,
  { signer = buyer, from }: SigningWallet = {},
): Promise<string> {
  const account = privateKeyToAccount(signer.privateKey);
  assert.ok(chain);
  const address = from ?? account.address;
  const message = signInMessage(info, address, Number(chain.chainId.split(':')[1]));
  const signature = await account.signMessage({ message });
  const proof: WalletProof = { ...info, ...chain, address, signature };
  return encodePayment({ ...proof });
}

/** Shows a payment that somebody else has sent: first alone, which buys nothing, and then with its payer's proof. */
export async function payWithProof(
  shop: Pick<Shop, 'pay'>,
  path: string,
  header: string,
  wallet?: SigningWallet,
): Promise<Answer> {
  const proof = await signIn(assertAskedToSignIn(await shop.pay(path, header)), wallet);
  return shop.pay(path, header, { headers: { 'SIGN-IN-WITH-X': proof } });
}
