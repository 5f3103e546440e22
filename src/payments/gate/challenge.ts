import type { ContractDocument, ContractOperation } from '../../contract/contract.js';
import { declareForBazaar, type BazaarDeclaration } from './bazaar.js';
import type { OfferReceiptIssuer, OfferTerms, Signed } from './offer-receipt.js';
import { encodeJsonHeader } from '../json-header.js';
import { describeResource, type ResourceInfo } from './sold-resource.js';
import { type PaymentRequirements, maxTimeoutSeconds } from '../terms.js';

/** The `error` of a PaymentRequired that answers a request without payment. */
export const missingPaymentText = 'PAYMENT-SIGNATURE header is required';

/** The 402 of a paid operation: its price and how to pay it. The same for an operation and an hour. */
export interface Challenge {
  /** The PaymentRequired of x402 v2 without its `error`. */
  readonly members: {
    readonly x402Version: 2;
    readonly resource: ResourceInfo;
    readonly accepts: readonly PaymentRequirements[];
    readonly extensions: ChallengeExtensions;
  };
  /** The value of the PAYMENT-REQUIRED header with this `error`. */
  header(error: string): string;
}

export interface ChallengePorts {
  readonly operation: ContractOperation;
  readonly document: ContractDocument;
  readonly requirements: PaymentRequirements;
  /** Address of the operation, without a query. */
  readonly resourceUrl: string;
  /** Signs the offer; undefined where none is signed. */
  readonly issuer: OfferReceiptIssuer | undefined;
}

const hourMs = 3_600_000;
/** Preferred limit of the header: proxies buffer 4 KB of headers, and official clients send it back. */
const preferredHeaderLength = 3_400;

/**
 * Creates the challenges of one paid operation: one for each hour, made at its first request. It takes the fullest
 * bazaar declaration that keeps the header within the preferred length, else the leanest. All texts are the contract's.
 */
export function createChallenges(ports: ChallengePorts): (now: Date) => Challenge {
  let current: { readonly hour: number; readonly challenge: Challenge } | undefined;

  function makeFor(hour: number): Challenge {
    const [fullest, ...leaner] = declareForBazaar(ports.document, ports.operation);
    let challenge = createChallenge(ports, fullest, hour);
    for (const declaration of leaner) {
      if (challenge.header(missingPaymentText).length <= preferredHeaderLength) break;
      challenge = createChallenge(ports, declaration, hour);
    }
    return challenge;
  }

  return (now) => {
    const hour = Math.floor(now.getTime() / hourMs);
    if (current?.hour !== hour) current = { hour, challenge: makeFor(hour) };
    return current.challenge;
  };
}

/**
 * The signed offer is valid until the hour's end and as long beyond it as a payment may take. So a buyer who asks in
 * the last second can still hold the seller to it.
 */
function createChallenge(ports: ChallengePorts, bazaar: BazaarDeclaration, hour: number): Challenge {
  const { operation, document, requirements, resourceUrl, issuer } = ports;
  const { scheme, network, asset, payTo, amount } = requirements;
  const validUntil = ((hour + 1) * hourMs) / 1000 + maxTimeoutSeconds;
  const offer = issuer?.issueOffer({ resourceUrl, scheme, network, asset, payTo, amount, validUntil });
  const members: Challenge['members'] = {
    x402Version: 2,
    resource: describeResource(document, operation, resourceUrl),
    accepts: [requirements],
    extensions: {
      'payment-identifier': paymentIdentifierExtension,
      bazaar,
      ...(offer && { 'offer-receipt': { info: { offers: [{ ...offer, acceptIndex: 0 }] }, schema: offersSchema } }),
    },
  };
  const headers = new Map<string, string>();
  return {
    members,
    header(error) {
      let header = headers.get(error);
      if (header === undefined) {
        header = encodeJsonHeader({ ...members, error });
        headers.set(error, header);
      }
      return header;
    },
  };
}

/** The x402 extensions of a PaymentRequired. */
interface ChallengeExtensions {
  /** Announces that a payment with an identifier of its buyer gets its reply again. */
  readonly 'payment-identifier': { readonly info: { readonly required: boolean }; readonly schema: object };
  readonly bazaar: BazaarDeclaration;
  /** The signed terms, if a key for them is configured. */
  readonly 'offer-receipt'?: {
    readonly info: { readonly offers: readonly (Signed<OfferTerms> & { readonly acceptIndex: number })[] };
    readonly schema: object;
  };
}

const paymentIdentifierExtension = {
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
