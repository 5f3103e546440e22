import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ChainClient } from '../chain/clients.js';
import { askContractWallet } from '../chain/contract-wallet.js';
import {
  isUndeployedWallet,
  undeployedWallet,
  type Authorization,
  type AuthorizationVerifier,
} from '../chain/eip3009.js';
import { ServiceError } from '../../errors.js';
import type { Limits } from '../../limits/limits.js';
import { cannotSettle } from '../payment-errors.js';

const maxRemembered = 10_000;

/** Verifies signatures of payers that are smart contracts (ERC-1271). */
export type ContractWallets = ReturnType<typeof createContractWallets>;

/**
 * The only call to the chain before a signature is verified. A contract wallet that confirms this signature over
 * this digest makes its payment as authentic as a plain account's, so the ledger may answer it. A payment refused here
 * reaches neither ledger nor settler. The simulated transfer still verifies it afterwards.
 *
 * Each question is one eth_call, and the limits bound their number. A confirmation is remembered for the same bytes, so
 * that other callers' questions never delay a buyer who returns for a paid reply.
 */
export function createContractWallets(ports: {
  /** Undefined without a chain. */
  readonly client: ChainClient | undefined;
  readonly verifier: AuthorizationVerifier;
  readonly checks: Limits['walletChecks'];
}) {
  const { client, verifier, checks } = ports;
  const signed = new LRUCache<string, true>({ max: maxRemembered });

  return {
    /**
     * Whether the payer is a smart contract that confirms the signature (ERC-1271).
     *
     * @param address the key of the caller in rate limits
     * @throws ServiceError 402 for a wallet that is not deployed and when too much was asked, 503 when the chain does
     *   not answer
     */
    async isSigned(authorization: Authorization, address: string): Promise<boolean> {
      const { from: wallet, signature } = authorization;
      const digest = verifier.digest(authorization);
      if (digest === undefined) return false;
      if (isUndeployedWallet(signature)) throw refused(undeployedWallet);
      const name = createHash('sha256').update(`${digest}${signature}`).digest('base64');
      if (signed.has(name)) return true;
      // The overall limit last: an address over its own limit takes nothing from the others.
      const limited = checks.byAddress.take(address) ?? checks.overall.take('all');
      if (limited !== undefined) throw pastLimit(limited);
      if (client === undefined) throw cannotSettle('chain');
      const isSigned = await askContractWallet(client, { wallet, digest, signature }).catch((error: unknown) => {
        throw cannotSettle('chain', { cause: error });
      });
      if (isSigned) signed.set(name, true);
      return isSigned;
    },
  };
}

/** Not a 429, which would promise that waiting helps: most of these have a wrong signature. */
function pastLimit({ message, details }: ServiceError): ServiceError {
  const { retryAfterSeconds } = details;
  return refused(message, { payment: 'unknown', ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
}

function refused(detail: string, more: ServiceError['details'] = {}): ServiceError {
  return new ServiceError('payment_invalid', detail, {
    payment: 'not_settled',
    paymentError: 'invalid_exact_evm_payload_signature',
    ...more,
  });
}
