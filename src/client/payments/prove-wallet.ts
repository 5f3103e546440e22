import { getAddress, type Hex } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import * as z from 'zod/mini';
import { encodeBase64Json } from '../wire/base64-json.js';
import type { Challenge } from './challenge.js';
import { createPurchaseError } from '../error-classes.js';
import { type Network, networks } from '../../wire/networks.js';
import { ask } from '../wire/ask.js';
import type { Patience } from '../wire/send-patiently.js';
import type { Account } from '../deals-client.js';
import type { Reply, SendRequest } from '../service-client.js';

/** The wallet that paid, able to prove it. */
export interface Prover {
  readonly address: Hex;
  readonly signMessage: (parameters: { message: string }) => Promise<Hex>;
  /** Called before anything is signed with the token of the payment; throws when this wallet cannot have paid in it. */
  readonly onBeforeProve?: ((token: Network) => void) | undefined;
}

/** The prover of an account; undefined without an account that can sign a message. */
export function createProver(
  account: Account | undefined,
  onBeforeProve?: Prover['onBeforeProve'],
): Prover | undefined {
  const { address, signMessage } = account ?? {};
  if (address === undefined || signMessage === undefined) return undefined;
  return { address, signMessage: (message) => signMessage.call(account, message), onBeforeProve };
}

/** Where a service gives the reply of a payment again, for its payer's proof. */
export function proofPath(paymentId: string): string {
  return `/api/payments/${paymentId}/response`;
}

/** True for a challenge that asks for a wallet's proof, and for no payment. */
export function asksForProof({ accepts, extensions }: Challenge): boolean {
  return accepts.length === 0 && extensions?.[signInWithX] !== undefined;
}

const signInWithX = 'sign-in-with-x';

const signIn = z.object({
  info: z.object({
    domain: z.string(),
    uri: z.string(),
    statement: z.string(),
    version: z.literal('1'),
    nonce: z.string(),
    issuedAt: z.string(),
    expirationTime: z.string(),
    resources: z.array(z.string()),
  }),
  supportedChains: z.array(z.object({ chainId: z.string(), type: z.string() })),
});

/**
 * Signs the challenge of a 402 that asks for the caller's identity (x402 extension sign-in-with-x). It is no payment.
 * @param uri the requested address; a proof for any other is not signed
 * @returns the value of the SIGN-IN-WITH-X header
 * @throws PurchaseError `challenge_unreadable`, `not_signed`
 */
export async function proveWallet({ extensions }: Challenge, uri: string, prover: Prover): Promise<string> {
  const read = z.safeParse(signIn, extensions?.[signInWithX]).data;
  const chain = read?.supportedChains.find(({ type }) => type === 'eip191');
  const token = networks.find(({ id }) => id === chain?.chainId);
  if (read === undefined || chain === undefined || token === undefined || !isFor(read.info, uri))
    throw createPurchaseError(
      'challenge_unreadable',
      'The server asks for a wallet proof that this client cannot give.',
    );
  prover.onBeforeProve?.(token);
  const { info } = read;
  // As the text has it, whatever the case in which the wallet writes it.
  const address = getAddress(prover.address);
  const message = createSiweMessage({
    ...info,
    address,
    chainId: token.chainId,
    issuedAt: new Date(info.issuedAt),
    expirationTime: new Date(info.expirationTime),
  });
  const signature = await prover.signMessage({ message }).catch((cause: unknown) => {
    throw createPurchaseError('not_signed', 'The account did not sign the proof.', { cause });
  });
  return encodeBase64Json({ ...info, address, chainId: chain.chainId, type: chain.type, signature });
}

/** A server could forward another site's challenge and use the proof to sign in there. */
function isFor({ uri, domain }: { readonly uri: string; readonly domain: string }, asked: string): boolean {
  const { host } = new URL(asked);
  return uri === asked && domain === host;
}

interface ReplyPorts {
  readonly send: SendRequest;
  readonly patience: Patience;
  /** Address of the server, without a trailing slash. */
  readonly baseUrl: string;
  readonly prover?: Prover | undefined;
}

/** Gets a paid reply again, free, for the account that paid. @throws PurchaseError `key_needed` without that account */
export async function getBoughtReply({ send, patience, baseUrl, prover }: ReplyPorts, path: string): Promise<Reply> {
  const asked = await ask(send, path, patience);
  if (asked.kind === 'free') return asked.reply;
  if (prover === undefined)
    throw createPurchaseError('key_needed', 'The reply is for the account that paid, which must sign a message.');
  const proof = await proveWallet(asked.challenge, baseUrl + path, prover);
  const proven = await ask(send, path, patience, { 'SIGN-IN-WITH-X': proof });
  if (proven.kind === 'free') return proven.reply;
  throw createPurchaseError(
    'payment_already_used',
    `The reply is for the account that paid, not for ${prover.address}.`,
    {
      status: 402,
      payment: 'settled',
    },
  );
}
