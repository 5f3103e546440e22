import { createAbortableSleep, type Patience } from './wire/send-patiently.js';
import { ask } from './wire/ask.js';
import type { Call, CallResult, GetOptions } from './wire/call.js';
import { chooseOffer, type Offer, defaultMaxPriceAtomic } from './payments/choose-offer.js';
import type { Asset, CallOptions, DealsClientOptions, Quote, Spending } from './deals-client.js';
import { createPurchaseError } from './error-classes.js';
import { findOperation } from './wire/operation-paths.js';
import { createProver, getBoughtReply, type Prover } from './payments/prove-wallet.js';
import { createKeptReplies } from './wire/kept-replies.js';
import { createMemoryReplies, createMemoryStorage } from './payments/payment-storage.js';
import { createPaymentJournal, describeSpending, type Budget } from './payments/payment-journal.js';
import type { KeepReply } from './wire/present.js';
import { purchase } from './wire/purchase.js';
import { createServiceClient, type Reply } from './service-client.js';
import type { Payer } from './payments/payer.js';
import { formatDollars, parseUsd } from './payments/usd.js';
import { type Network, networks } from '../wire/networks.js';
import { readServerAddress } from './wire/server-address.js';

export interface CallerOptions extends Omit<DealsClientOptions, 'onWait'> {
  /** Called before each pause, with the reply that caused it. */
  readonly onWait?: NonNullable<Patience['onWait']>;
  /** Also retries when the server does not answer. Default true; false to fail at once. */
  readonly outlastsSilence?: boolean;
  /** Called with the chain of a bought reply's payment before the wallet proof is signed; throws to refuse. */
  readonly onBeforeProve?: Prover['onBeforeProve'];
  readonly keepReply?: KeepReply;
}

export type Caller = ReturnType<typeof createCaller>;

/**
 * Creates the calls of a client, by path and query: they buy from the service within the options.
 * @throws RangeError for an invalid option; the calls throw PurchaseError
 */
export function createCaller(options: CallerOptions) {
  const settings = readClientSettings(options);
  const {
    storage = createMemoryStorage(),
    now = () => new Date(),
    random = Math.random,
    randomBytes = (length) => crypto.getRandomValues(new Uint8Array(length)),
    sleep = (ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    outlastsSilence = true,
    fetch,
    startTimer,
    maxReplyBytes,
  } = options;
  const { baseUrl, tokens, maxAttempts } = settings;
  const journal = createPaymentJournal({ storage, now, budget: settings.budget });
  const replies = createKeptReplies(storage.replies ?? createMemoryReplies(), baseUrl);

  function createCall(path: string, { signal, maxPrice }: CallOptions = {}): Call {
    const ends = [options.signal, signal].filter((each) => each !== undefined);
    const end = ends.length > 1 ? AbortSignal.any(ends) : ends[0];
    return {
      baseUrl,
      tokens,
      journal,
      now,
      randomBytes,
      signal: end,
      maxPriceAtomic: readDollars('maxPrice', maxPrice) ?? settings.maxPriceAtomic,
      prover: createProver(options.account, options.onBeforeProve),
      keepReply: options.keepReply,
      approve: (offer) => approve(options, quoteOf(offer, path)),
      patience: {
        maxAttempts,
        random,
        sleep: createAbortableSleep(sleep, end),
        outlastsSilence,
        onWait: options.onWait,
      },
      send: createServiceClient(baseUrl, { fetch, startTimer, maxReplyBytes, signal: end }),
    };
  }

  async function findKnown(path: string, { readsOn = false }: GetOptions = {}): Promise<Reply | undefined> {
    // A second request for an exclusive lead is for another lead, so a cached one must not answer it.
    const known = findOperation(path) === 'buyExclusiveLead' ? undefined : await replies.find(path);
    if (!readsOn || known?.headers.has('link') !== true) return known;
    const age = now().getTime() - Date.parse(known.headers.get('date') ?? '');
    return Math.abs(age) < pageLinkMs ? known : undefined;
  }

  return {
    createCall,
    /** Gets the reply, and pays for it when it has a price. */
    async get(path: string, callOptions?: GetOptions): Promise<CallResult> {
      const call = createCall(path, callOptions);
      if (findOperation(path) === 'getPaymentResponse')
        return {
          reply: await getBoughtReply(call, path),
          paid: undefined,
          isUnchanged: false,
        };
      const known = await findKnown(path, callOptions);
      const etag = known?.headers.get('etag') ?? undefined;
      const got = await purchase(call.send, path, { ...call, etag });
      if (got.reply.status === 304 && known !== undefined) return { reply: known, paid: undefined, isUnchanged: true };
      await replies.keep(path, got.reply);
      return { ...got, isUnchanged: false };
    },
    /** The price; undefined when it is free. Signs nothing. */
    async price(path: string, callOptions?: CallOptions): Promise<Quote | undefined> {
      // The 402 of this operation asks for a wallet proof, not for a payment.
      if (findOperation(path) === 'getPaymentResponse') return undefined;
      const { send, patience } = createCall(path, callOptions);
      const asked = await ask(send, path, patience);
      return asked.kind === 'free' ? undefined : quoteOf(chooseOffer(asked.challenge, tokens), path);
    },
    /** Spent amounts and open payments. Sends no request. */
    spending: async (): Promise<Spending> => describeSpending(await journal.list(), now()),
  };
}

/** A link to the next page lasts 30 minutes by the server's clock; five are left for reading and for this clock. */
const pageLinkMs = 25 * 60_000;

function quoteOf({ token, priceAtomic, requirement }: Offer, request: string): Quote {
  const { id: network, asset } = token;
  return { request, network, asset, price: formatDollars(priceAtomic), payTo: requirement.payTo };
}

async function approve({ account, onBeforePay }: CallerOptions, quote: Quote): Promise<Payer> {
  if (account === undefined)
    throw createPurchaseError(
      'key_needed',
      `The price is $${quote.price} on ${quote.network}, and the client has no account to pay it. Nothing was paid.`,
    );
  if ((await onBeforePay?.(quote)) === false)
    throw createPurchaseError('not_approved', `The price of $${quote.price} was not approved. Nothing was paid.`);
  return account;
}

/** A client's options, parsed and validated. */
interface ClientSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly maxPriceAtomic: bigint;
  readonly budget: Budget;
  readonly tokens: readonly Network[];
  readonly maxAttempts: number;
}

/** Parses and validates the options of a client. @throws RangeError that names the invalid option */
function readClientSettings(options: Omit<DealsClientOptions, 'onWait'>): ClientSettings {
  const { maxPricePerCall, budget = {}, allowedAssets, maxAttempts = 6, maxReplyBytes } = options;
  const baseUrl = readServerAddress(options.baseUrl);
  if (baseUrl === undefined)
    throw new RangeError('baseUrl must be an http or https address, without a user, a query or a fragment.');
  if (maxReplyBytes !== undefined && !(Number.isInteger(maxReplyBytes) && maxReplyBytes >= 1))
    throw new RangeError('maxReplyBytes must be 1 or more.');
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) throw new RangeError('maxAttempts must be 1 or more.');
  return {
    baseUrl,
    maxPriceAtomic: readDollars('maxPricePerCall', maxPricePerCall) ?? defaultMaxPriceAtomic,
    budget: {
      perHourAtomic: readDollars('budget.perHour', budget.perHour),
      perDayAtomic: readDollars('budget.perDay', budget.perDay),
    },
    tokens: allowedAssets?.map(findToken) ?? networks,
    maxAttempts,
  };
}

/** Parses an option in dollars; undefined when it is not given. @throws RangeError */
function readDollars(name: string, text: string | undefined): bigint | undefined {
  const atomic = text === undefined ? undefined : parseUsd(text);
  if (text !== undefined && atomic === undefined)
    throw new RangeError(`${name} must be dollars in a string, such as "0.50", not ${JSON.stringify(text)}.`);
  return atomic;
}

function findToken({ network, asset }: Asset): Network {
  const token = networks.find((each) => each.id === network && each.asset.toLowerCase() === asset.toLowerCase());
  if (token !== undefined) return token;
  const known = networks.map((each) => `${each.asset} on ${each.id}`);
  throw new RangeError(
    `allowedAssets names ${asset} on ${network}, which this client does not support. It supports ${known.join(', ')}.`,
  );
}
