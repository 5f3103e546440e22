import { createHmac } from 'node:crypto';
import { getAddress, hashMessage, isAddressEqual, recoverMessageAddress } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import type { ChainClient } from '../chain/clients.js';
import { askContractWallet } from '../chain/contract-wallet.js';
import type { Hex } from '../chain/eip3009.js';
import type { Network } from '../../wire/networks.js';
import type { Secrets } from '../../secrets/secrets.js';

/** The members to sign (x402 extension sign-in-with-x), as the OpenAPI contract's WalletProof has them. */
interface SignInInfo {
  readonly domain: string;
  readonly uri: string;
  readonly statement: string;
  readonly version: '1';
  readonly nonce: string;
  readonly issuedAt: string;
  readonly expirationTime: string;
  readonly resources: readonly string[];
}

/** A signed sign-in request, as its schema in the OpenAPI contract has it. */
export interface WalletProof extends SignInInfo {
  readonly address: Hex;
  readonly chainId: string;
  readonly type: string;
  readonly signature: Hex;
}

export interface WalletProofPorts {
  readonly secrets: Secrets;
  readonly publicBaseUrl: string;
  readonly network: Network;
  /** Asks contract wallets; undefined where there is no chain to ask. */
  readonly client: ChainClient | undefined;
  /** Who has signed a message; rejects for what is no signature. By default with viem's curve. */
  readonly recover?: typeof recoverMessageAddress;
  readonly now: () => Date;
}

const lifetimeMs = 5 * 60_000;
/** Clocks of instances may differ by so much. */
const clockSkewMs = 60_000;
/** Contract wallets that are asked at the same time; others are told to come again. */
const maxQuestions = 4;

export type WalletProofs = ReturnType<typeof createWalletProofs>;

/**
 * Asks for and checks proofs that a wallet is the payer of a payment. Nothing is stored: the nonce of a sign-in request
 * is a keyed hash of the payment and the time. A proof must repeat its request exactly, within five minutes.
 */
export function createWalletProofs(ports: WalletProofPorts) {
  const { secrets, publicBaseUrl, network, client, recover = recoverMessageAddress, now } = ports;
  let questions = 0;

  /** `secret`: the one under which the request was made. */
  function infoAt(paymentId: string, issuedAt: Date, secret: string): SignInInfo {
    const uri = `${publicBaseUrl}/api/payments/${paymentId}/response`;
    const moment = issuedAt.toISOString();
    return {
      domain: new URL(publicBaseUrl).host,
      uri,
      statement: 'Get the paid reply again. This signs no payment.',
      version: '1',
      nonce: nonceAt(paymentId, moment, secret),
      issuedAt: moment,
      expirationTime: new Date(issuedAt.getTime() + lifetimeMs).toISOString(),
      resources: [uri],
    };
  }

  async function isSignedBy(payer: Hex, message: string, signature: Hex): Promise<boolean> {
    const signer = await recover({ message, signature }).catch(() => undefined);
    return signer !== undefined && isAddressEqual(signer, payer);
  }

  /** ERC-1271, for a wallet that is a smart contract. A wallet that cannot be asked proves nothing. */
  async function isAcceptedBy(payer: Hex, message: string, signature: Hex): Promise<boolean> {
    if (client === undefined || questions >= maxQuestions) return false;
    questions++;
    return askContractWallet(client, { wallet: payer, digest: hashMessage(message), signature })
      .catch(() => false)
      .finally(() => questions--);
  }

  return {
    /** The PaymentRequired that asks for a proof and for no payment; without its `error`. */
    signInRequest(paymentId: string): object {
      const info = infoAt(paymentId, now(), secrets[0]);
      const signIn = { info, supportedChains: [{ chainId: network.id, type: 'eip191' }], schema: proofSchema };
      return {
        x402Version: 2,
        resource: { url: info.uri },
        // Nothing to pay: a client that cannot sign in stops here.
        accepts: [],
        extensions: { 'sign-in-with-x': signIn },
      };
    },
    /** Why a proof is not the payer's for this payment and now, in plain words; undefined when it is. */
    async refuse(proof: WalletProof, paymentId: string, payer: Hex): Promise<string | undefined> {
      const issuedAt = new Date(proof.issuedAt);
      const ageMs = now().getTime() - issuedAt.getTime();
      if (!(ageMs <= lifetimeMs && ageMs >= -clockSkewMs)) return 'The challenge is older than five minutes.';
      const secret = secrets.find((each) => nonceAt(paymentId, proof.issuedAt, each) === proof.nonce) ?? secrets[0];
      const { resources, ...expected } = infoAt(paymentId, issuedAt, secret);
      const wrong = Object.entries({ ...expected, chainId: network.id, type: 'eip191' }).find(
        ([name, value]) => Reflect.get(proof, name) !== value,
      );
      if (wrong !== undefined) return `Its ${wrong[0]} is not that of the challenge.`;
      if (proof.address.toLowerCase() !== payer) return 'It is not by the wallet that paid.';
      const message = createSiweMessage({
        ...expected,
        address: proof.address,
        chainId: network.chainId,
        issuedAt,
        expirationTime: new Date(expected.expirationTime),
        resources: [...resources],
      });
      const { signature } = proof;
      if (await isSignedBy(payer, message, signature)) return undefined;
      // EIP-4361 wants the address with its checksum; browser wallets give it, and so pages sign it, in lower case.
      const asWritten = message.replace(getAddress(proof.address), proof.address);
      if (asWritten !== message && (await isSignedBy(payer, asWritten, signature))) return undefined;
      if (await isAcceptedBy(payer, message, signature)) return undefined;
      return 'Its signature is not that of the wallet that paid.';
    },
  };
}

function nonceAt(paymentId: string, moment: string, secret: string): string {
  return createHmac('sha256', secret).update(`sign-in-with-x\n${paymentId}\n${moment}`).digest('hex');
}

/** The members of a proof, as the extension wants them described. */
const proofSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: Object.fromEntries(
    ['domain', 'address', 'statement', 'uri', 'version', 'chainId', 'type', 'nonce', 'issuedAt', 'signature'].map(
      (name) => [name, { type: 'string' }],
    ),
  ),
  required: ['domain', 'address', 'uri', 'version', 'chainId', 'type', 'nonce', 'issuedAt', 'signature'],
};
