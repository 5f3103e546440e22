import { LRUCache } from 'lru-cache';
import type { ContractDocument, ContractOperation } from '../../contract/contract.js';
import type { Decoded } from '../../contract/paths.js';
import { type PaymentRequirements, maxTimeoutSeconds } from '../terms.js';
import { createDeclareForBazaar, createReadBazaarInput, type BazaarDeclaration, type Detail } from './bazaar.js';
import type { OfferReceiptIssuer, OfferTerms, Signed } from '../offer-receipt.js';
import { describeResource, type ResourceInfo } from './sold-resource.js';

/** The `error` of a PaymentRequired that answers a request without payment. */
export const missingPaymentText = 'PAYMENT-SIGNATURE header is required';

/**
 * The 402 of a request: its price and how to pay it. The same for equal requests within an hour, once its offer is
 * signed. Parts are left out, in a fixed order, until the header fits one buffer of a proxy.
 */
export interface Challenge {
  /** The PaymentRequired of x402 v2 without its `error`. */
  readonly members: ChallengeMembers;
  /** The same as JSON, without its last brace: the `error` follows. */
  readonly text: string;
  /** The number of parts that are left out. */
  readonly leftOut: number;
  /** Without every part that can be left out, for a reply that also has a PAYMENT-RESPONSE. */
  short(): Challenge;
}

export interface ChallengeMembers {
  readonly x402Version: 2;
  readonly resource: ResourceInfo;
  readonly accepts: readonly PaymentRequirements[];
  readonly extensions: ChallengeExtensions;
}

/** Returns the current 402 of a paid operation for a request. */
export type ChallengeOf = (asked: Decoded) => Challenge;

/** The 402s of a process. */
export interface Challenges {
  forOperation(operation: ContractOperation, requirements: PaymentRequirements): ChallengeOf;
}

export interface ChallengesPorts {
  readonly document: ContractDocument;
  /** Without a trailing slash. */
  readonly publicBaseUrl: string;
  /** Signs offers; undefined where none are signed. */
  readonly issuer: OfferReceiptIssuer | undefined;
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly elapsedMs: () => number;
}

const hourMs = 3_600_000;
/** Remembered 402s: about 20 MB. */
const maxChallenges = 2_000;
/** Signing takes 0.1 ms: a flood of new requests must not occupy the processor. */
const maxOffersPerSecond = 200;
/** Keeps all headers within one buffer of a proxy, 4,096 bytes. Source: docs/decisions/payments.md. */
const maxHeaderLength = 3_550;
/** Bytes of the longest `error`, as it ends the text. */
const longestError = ',"error":""}'.length + 60;

/** Creates the 402s of a process. All texts are the contract's. */
export function createChallenges(ports: ChallengesPorts): Challenges {
  const { document, publicBaseUrl, issuer, now, elapsedMs } = ports;
  const known = new LRUCache<string, Challenge>({ max: maxChallenges });
  const maySign = createBudget(maxOffersPerSecond, elapsedMs);

  return {
    forOperation(operation, requirements) {
      const readInput = createReadBazaarInput(document, operation);
      const described = describeResource(document, operation, publicBaseUrl);
      const templateOf = createTemplates(document, operation, described, requirements);
      const { scheme, network, asset, payTo, amount } = requirements;
      // The request without a query has the shortest challenge.
      let leastLeftOut = 0;
      return (asked) => {
        const hour = Math.floor(now().getTime() / hourMs);
        const key = `${hour} ${amount} ${asked.resource}`;
        const seen = known.get(key);
        if (seen !== undefined) return seen;
        const resourceUrl = publicBaseUrl + asked.resource;
        const signer = issuer !== undefined && maySign() ? issuer : undefined;
        // Valid until the hour's end and as long beyond it as a payment may take: a buyer who asks in the last second
        // can still hold the seller to it.
        const validUntil = ((hour + 1) * hourMs) / 1000 + maxTimeoutSeconds;
        const offer = signer?.issueOffer({ resourceUrl, scheme, network, asset, payTo, amount, validUntil });
        const [path = '', query] = asked.resource.split('?');
        // A private or long query is neither in the address nor here.
        const { queryParams, pathParams } = readInput(path, query === undefined ? {} : asked.query);
        const values = {
          url: JSON.stringify(resourceUrl),
          query: JSON.stringify(queryParams),
          path: JSON.stringify(pathParams),
          offer: offer && JSON.stringify({ ...offer, acceptIndex: 0 }),
        };
        const challenge = createChallenge(templateOf, values, leastLeftOut);
        if (asked.resource === operation.path && offer) leastLeftOut = challenge.leftOut;
        // A challenge that lacks its offer is made again next time.
        if (signer === issuer) known.set(key, challenge);
        return challenge;
      };
    },
  };
}

/** Returns true a number of times in each second. */
function createBudget(perSecond: number, elapsedMs: () => number): () => boolean {
  let second = 0;
  let used = 0;
  return () => {
    const current = Math.floor(elapsedMs() / 1000);
    if (current !== second) [second, used] = [current, 0];
    return used++ < perSecond;
  };
}

/** The values of one request, as JSON; undefined for a missing one. */
type Values = Readonly<Record<'url' | 'query' | 'path' | 'offer', string | undefined>>;

/** The JSON of a PaymentRequired in pieces: every second one is the name of a value. */
type TemplateOf = (leftOut: number, withOffer: boolean) => readonly string[];

/** The parts that are left out in this order until the header fits, each with the count of missing parts. */
const without = { example: 1, descriptions: 2, tagsAndIcon: 3, limits: 4, types: 5, names: 6, offer: 7, bazaar: 8 };
/** The detail of parameters, by the number of parts that are left out. */
const details: readonly Detail[] = ['described', 'described', 'limited', 'limited', 'typed', 'named'];

/** Creates the templates of one operation, each when it is first needed. */
function createTemplates(
  document: ContractDocument,
  operation: ContractOperation,
  described: Required<ResourceInfo>,
  requirements: PaymentRequirements,
): TemplateOf {
  const declare = createDeclareForBazaar(document, operation);
  const { tags, iconUrl, ...plain } = described;
  const known = new Map<string, readonly string[]>();
  const make = (leftOut: number, withOffer: boolean): readonly string[] => {
    const resource = {
      ...plain,
      url: '@url@',
      ...(leftOut >= without.descriptions && { description: operation.summary }),
      ...(leftOut < without.tagsAndIcon && { tags, iconUrl }),
    };
    const input = { queryParams: '@query@', ...(operation.path.includes('{') && { pathParams: '@path@' }) };
    const extensions = {
      'payment-identifier': paymentIdentifierExtension,
      ...(leftOut < without.bazaar && {
        bazaar: declare(input, { withExample: leftOut < without.example, detail: details[leftOut] ?? 'unnamed' }),
      }),
      ...(withOffer && { 'offer-receipt': { info: { offers: ['@offer@'] }, schema: offersSchema } }),
    };
    return JSON.stringify({ x402Version: 2, resource, accepts: [requirements], extensions })
      .slice(0, -1)
      .split(/"@(url|query|path|offer)@"/);
  };
  return (leftOut, withOffer) => {
    const key = `${leftOut} ${withOffer}`;
    const template = known.get(key) ?? make(leftOut, withOffer);
    known.set(key, template);
    return template;
  };
}

/** The fullest PaymentRequired whose header fits. `leastLeftOut`: the parts that surely do not fit. */
function createChallenge(templateOf: TemplateOf, values: Values, leastLeftOut: number): Challenge {
  let members: ChallengeMembers | undefined;
  for (let leftOut = leastLeftOut; ; leftOut++) {
    const text = templateOf(leftOut, leftOut < without.offer && values.offer !== undefined)
      .map((piece, index) => (index % 2 === 0 ? piece : values[piece as keyof Values]))
      .join('');
    const length = 4 * Math.ceil((Buffer.byteLength(text) + longestError) / 3);
    if (leftOut < without.bazaar && length > maxHeaderLength) continue;
    return {
      get members() {
        return (members ??= JSON.parse(`${text}}`) as ChallengeMembers);
      },
      text,
      leftOut,
      short: () => createChallenge(templateOf, values, without.bazaar),
    };
  }
}

/** The x402 extensions of a PaymentRequired. */
interface ChallengeExtensions {
  /** Announces that a payment with an identifier of its buyer gets its reply again. */
  readonly 'payment-identifier': { readonly info: { readonly required: boolean }; readonly schema: object };
  readonly bazaar?: BazaarDeclaration;
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
