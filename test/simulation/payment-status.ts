import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { createGetPaymentResponse } from '../../src/api/payments/get-payment-response.js';
import type { Handler } from '../../src/api/handler.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { createAssertPayer, type AssertPayer } from '../../src/payments/status/payer-proof.js';
import {
  createPaymentStatusService,
  type PaymentStatusServicePorts,
} from '../../src/payments/status/payment-status.js';
import { createReplyTokens } from '../../src/payments/status/reply-token.js';
import { createWalletProofs, type WalletProof } from '../../src/payments/status/wallet-proof.js';
import { signInMessage, type SignInInfo } from '../support/sign-in-message.js';
import { terms } from './purchase.js';
import { isWalletProof } from './shell.js';
import type { Variant } from './variant.js';

const dayMs = 86_400_000;
const secret = 'a secret that all instances share';

/** The real payment status of one instance, behind the real handler. */
export function openPaymentStatusService(
  ports: Pick<PaymentStatusServicePorts, 'ledger' | 'machine' | 'assertPayer'>,
  variant: Variant,
): Handler<'getPaymentResponse'> {
  const tokens = createReplyTokens([secret]);
  const paymentStatus = createPaymentStatusService({
    ...ports,
    tokens,
    keepRepliesMs: dayMs,
    finalityLagMs: async () => 0,
    log: silent,
  });
  return createGetPaymentResponse(variant.paymentStatus?.(paymentStatus, ports) ?? paymentStatus);
}

/** The real check of proofs of one instance. */
export function openPayerProof(now: () => Date, variant: Variant): AssertPayer {
  const { network } = terms;
  const real = createWalletProofs({
    secrets: [secret],
    publicBaseUrl: 'https://deals.example.com',
    network,
    client: undefined,
    recover: recoverSigner,
    now,
  });
  return createAssertPayer({ proofs: variant.proofs?.(real) ?? real, isWalletProof });
}

/** The challenge of a 402's body, signed by a wallet, as a SIGN-IN-WITH-X header. Undefined without a challenge. */
export function signChallenge(body: string, wallet: Hex): string | undefined {
  const { extensions } = JSON.parse(body) as { extensions?: { 'sign-in-with-x'?: { info: SignInInfo } } };
  const info = extensions?.['sign-in-with-x']?.info;
  if (info === undefined) return undefined;
  const message = signInMessage(info, wallet, terms.network.chainId);
  const signature = signatureOf(wallet, message);
  const proof: WalletProof = { ...info, address: wallet, chainId: terms.network.id, type: 'eip191', signature };
  return Buffer.from(JSON.stringify(proof)).toString('base64');
}

/** Replaces the curve: a signature that names its wallet and its message, and that nobody forges. */
function signatureOf(wallet: Hex, message: string): Hex {
  return `${wallet}${createHash('sha256').update(message).digest('hex')}`;
}

const recoverSigner = async ({ message, signature }: { readonly message: unknown; readonly signature: unknown }) => {
  const wallet = String(signature).slice(0, 42) as Hex;
  if (signature !== signatureOf(wallet, String(message))) throw new Error('no signature of this message');
  return wallet;
};

const silent = pino({ level: 'silent' });
