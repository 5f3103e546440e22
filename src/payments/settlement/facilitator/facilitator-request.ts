import { getAddress } from 'viem';
import {
  lowerHex,
  normalizeSignature,
  type Authorization,
  type AuthorizationVerifier,
  type Hex,
} from '../../chain/eip3009.js';
import type { Network } from '../../../wire/networks.js';
import { requirementsFor, type PaymentRequirements } from '../../terms.js';

/** The description of a sold operation, for a facilitator's catalog. */
export interface SoldResource {
  readonly resource: object;
  readonly extensions: object;
}

/** The body of POST /verify and POST /settle (x402 v2). */
export interface FacilitatorRequest {
  readonly x402Version: 2;
  readonly paymentPayload: Partial<SoldResource> & {
    readonly x402Version: 2;
    readonly accepted: PaymentRequirements;
    readonly payload: {
      readonly signature: Hex;
      readonly authorization: Readonly<Record<'value' | 'validAfter' | 'validBefore', string>> &
        Readonly<Record<'from' | 'to' | 'nonce', Hex>>;
    };
  };
  readonly paymentRequirements: PaymentRequirements;
}

/**
 * Makes the request of what this service itself knows, with the declaration that lets a facilitator catalog what was
 * sold (`bazaar`). Nothing of the buyer's payload is forwarded: neither its extensions (the payment identifier is a
 * secret, an echoed declaration may be forged) nor the address of its request, whose query says what was asked for.
 */
export function buildFacilitatorRequest(
  authorization: Authorization,
  {
    network,
    verifier,
    sold,
  }: {
    readonly network: Network;
    readonly verifier: AuthorizationVerifier;
    readonly sold: SoldResource | undefined;
  },
): FacilitatorRequest {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const requirements = requirementsFor({ network, payTo: getAddress(lowerHex(to)) }, value);
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      ...sold,
      accepted: requirements,
      payload: {
        // The official facilitator hands v to the token as it came.
        signature: normalizeSignature(authorization, verifier),
        authorization: {
          from: getAddress(lowerHex(from)),
          to: getAddress(lowerHex(to)),
          value: value.toString(),
          validAfter: validAfter.toString(),
          validBefore: validBefore.toString(),
          nonce,
        },
      },
    },
    paymentRequirements: requirements,
  };
}
