import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { TestAccount } from '../../src/payments/chain/well-known-accounts.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import type { PaymentRequirements } from '../../src/payments/terms.js';

/** The PaymentRequired of a 402. */
export interface ChallengeBody {
  readonly resource: { readonly url: string };
  readonly accepts: readonly PaymentRequirements[];
}

export interface PaymentChanges {
  readonly signer?: TestAccount;
  /** The payer, if not the signer: a contract wallet. */
  readonly from?: Hex;
  /** Overrides of the token's domain. */
  readonly domain?: Readonly<Record<string, string | number>>;
  readonly nonce?: Hex;
  /** Unix seconds. */
  readonly validAfter?: bigint;
  readonly validBefore?: bigint;
  readonly value?: bigint;
  readonly to?: Hex;
  /** Changes the payload after it was signed. */
  readonly alter?: (payload: Record<string, unknown>) => unknown;
}

/** Sends the request without payment and reads the challenge. */
export async function askPrice(url: string): Promise<ChallengeBody> {
  const reply = await fetch(url);
  if (reply.status !== 402) throw new Error(`Expected 402, got ${reply.status}: ${await reply.text()}`);
  return readPrice(reply);
}

/** The challenge in the header of a 402; the contract guarantees it, whatever the body is about. */
export function readPrice({ headers }: Response): ChallengeBody {
  const header = headers.get('PAYMENT-REQUIRED') ?? '';
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as ChallengeBody;
}

/** Signs a challenge like a buyer. Returns the PAYMENT-SIGNATURE header. */
export async function signPayment(
  challenge: Pick<ChallengeBody, 'accepts'> & Partial<ChallengeBody>,
  changes: PaymentChanges = {},
): Promise<string> {
  const [accepted] = challenge.accepts;
  if (accepted === undefined) throw new Error('The challenge accepts nothing');
  const account = privateKeyToAccount((changes.signer ?? buyer).privateKey);
  const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
  const authorization = {
    from: changes.from ?? account.address,
    to: changes.to ?? (accepted.payTo as Hex),
    value: changes.value ?? BigInt(accepted.amount),
    validAfter: changes.validAfter ?? nowSeconds - 60n,
    validBefore: changes.validBefore ?? nowSeconds + 240n,
    nonce: changes.nonce ?? (`0x${randomBytes(32).toString('hex')}` as Hex),
  };
  const signature = await account.signTypedData({
    domain: {
      ...accepted.extra,
      chainId: Number(accepted.network.split(':')[1]),
      verifyingContract: accepted.asset as Hex,
      ...changes.domain,
    },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  });
  const payload = {
    x402Version: 2,
    resource: challenge.resource,
    accepted,
    payload: {
      signature,
      authorization: {
        ...authorization,
        value: authorization.value.toString(),
        validAfter: authorization.validAfter.toString(),
        validBefore: authorization.validBefore.toString(),
      },
    },
  };
  return encodePayment(changes.alter ? changes.alter(payload) : payload);
}

/** Any value in the header's encoding. */
export function encodePayment(payload: unknown): string {
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}

/** Asks the price, signs, and pays. */
export async function buy(url: string, changes: PaymentChanges = {}): Promise<Response> {
  const signature = await signPayment(await askPrice(url), changes);
  return fetch(url, { headers: { 'PAYMENT-SIGNATURE': signature } });
}
