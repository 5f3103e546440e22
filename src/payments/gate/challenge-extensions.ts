import type { BazaarDeclaration } from './bazaar.js';
import type { OfferReceiptIssuer, OfferTerms, Signed } from './offer-receipt.js';
import { maxTimeoutSeconds, type PaymentRequirements } from '../terms.js';

/** What a PaymentRequired offers beside the payment, by the names that x402 gives its extensions. */
export interface ChallengeExtensions {
  /** A buyer may name its payment, and with that name gets the reply again. */
  readonly 'payment-identifier': { readonly info: { readonly required: boolean }; readonly schema: object };
  readonly bazaar: BazaarDeclaration;
  /** The terms, signed; only where a key for it is configured. */
  readonly 'offer-receipt'?: {
    readonly info: { readonly offers: readonly (Signed<OfferTerms> & { readonly acceptIndex: number })[] };
    readonly schema: object;
  };
}

export const hourMs = 3_600_000;

/**
 * The extensions of one operation within one hour. The offer is valid until the hour's end and as long beyond it as a
 * payment may take, so that whoever asks in its last second can still hold the seller to it.
 */
export function composeExtensions(
  bazaar: BazaarDeclaration,
  requirements: PaymentRequirements,
  resourceUrl: string,
  issuer: OfferReceiptIssuer | undefined,
  hour: number,
): ChallengeExtensions {
  const { scheme, network, asset, payTo, amount } = requirements;
  const validUntil = ((hour + 1) * hourMs) / 1000 + maxTimeoutSeconds;
  const offer = issuer?.issueOffer({ resourceUrl, scheme, network, asset, payTo, amount, validUntil });
  return {
    'payment-identifier': paymentIdentifier,
    bazaar,
    ...(offer && { 'offer-receipt': { info: { offers: [{ ...offer, acceptIndex: 0 }] }, schema: offersSchema } }),
  };
}

const paymentIdentifier = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
};

const offersSchema = { type: 'object', properties: { offers: { type: 'array' } }, required: ['offers'] };
