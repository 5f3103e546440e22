import { createAbortableSleep } from './abortable-sleep.js';
import { ask } from './ask.js';
import { chooseOffer, type Offer } from './choose-offer.js';
import { readClientSettings, readDollars } from './client-settings.js';
import type { Call, GetOptions, Got, Parameters } from './call.js';
import type { CallOptions, DealsClient, DealsClientOptions, OperationMethods, Quote } from './deals-client.js';
import { createPurchaseError } from './error-classes.js';
import { getBoughtReply } from './get-bought-reply.js';
import { createKeptReplies } from './kept-replies.js';
import { createMemoryStorage } from './memory-storage.js';
import { operationPaths, type OperationId } from './operation-paths.js';
import { createPaymentJournal } from './payment-journal.js';
import { purchase } from './purchase.js';
import { readAnswer } from './read-answer.js';
import { createRecordReader } from './record-reader.js';
import { requestPath } from './request-path.js';
import { createServiceClient, type Reply } from './service-client.js';
import type { Payer } from './sign-payment.js';
import { describeSpending } from './spending.js';
import { formatDollars } from './usd.js';

/**
 * Creates a client of the service. It signs nothing above its caps, whatever runs at the same time, presents the same
 * payment until its outcome is known, and never signs another one for a call while the first may still be charged.
 *
 * @throws RangeError for an option that makes no sense
 */
export function createDealsClient(options: DealsClientOptions): DealsClient {
  const settings = readClientSettings(options);
  const {
    storage = createMemoryStorage(),
    now = () => new Date(),
    random = Math.random,
    randomBytes = (length) => crypto.getRandomValues(new Uint8Array(length)),
    sleep = (ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  } = options;
  const { baseUrl, tokens, maxAttempts } = settings;
  const journal = createPaymentJournal({ storage, now, budget: settings.budget });
  const replies = createKeptReplies();

  function begin(path: string, { signal, maxPrice }: CallOptions = {}): Call {
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
      approve: (offer) => approve(options, quoteOf(offer, path)),
      patience: {
        maxAttempts,
        random,
        sleep: createAbortableSleep(sleep, end),
        outlastsSilence: true,
        onWait: options.onWait,
      },
      send: createServiceClient(baseUrl, { fetch: options.fetch, signal: end }),
    };
  }

  function findKnown(id: OperationId, path: string, { readsOn = false }: GetOptions = {}): Reply | undefined {
    // Whoever asks for another exclusive lead does not want the one that is here.
    const known = id === 'buyExclusiveLead' ? undefined : replies.find(path);
    // The token of its next page may be over by now.
    return readsOn && known?.headers.has('link') ? undefined : known;
  }

  async function get(id: OperationId, parameters?: Parameters, callOptions?: GetOptions): Promise<Got> {
    const path = requestPath(id, parameters);
    const call = begin(path, callOptions);
    if (id === 'getPaymentResponse')
      return { reply: await getBoughtReply(call, path, options.account), paid: undefined, isUnchanged: false };
    const known = findKnown(id, path, callOptions);
    const etag = known?.headers.get('etag') ?? undefined;
    const got = await purchase(call.send, path, { ...call, etag });
    if (got.reply.status === 304 && known !== undefined) return { reply: known, paid: undefined, isUnchanged: true };
    replies.keep(path, got.reply);
    return { ...got, isUnchanged: false };
  }

  const caller = { begin, get };
  const methods = Object.fromEntries(
    Object.keys(operationPaths).map((id) => [
      id,
      async (parameters?: Parameters, callOptions?: CallOptions) =>
        readAnswer(await get(id as OperationId, parameters, callOptions)),
    ]),
  ) as unknown as OperationMethods; // one for each key of operationPaths, whose type is that of the contract
  return {
    ...methods,
    deals: createRecordReader(caller, 'listDeals'),
    hotDeals: createRecordReader(caller, 'listHotDeals'),
    basicDeals: createRecordReader(caller, 'listBasicDeals'),
    signals: createRecordReader(caller, 'listSignals'),
    auctions: createRecordReader(caller, 'listAuctions'),
    leads: createRecordReader(caller, 'listLeads'),
    async price(id, parameters, callOptions) {
      const path = requestPath(id, parameters as Parameters | undefined);
      const { send, patience } = begin(path, callOptions);
      const asked = await ask(send, path, patience);
      return asked.kind === 'free' ? undefined : quoteOf(chooseOffer(asked.challenge, tokens), path);
    },
    spending: async () => describeSpending(await journal.list(), now()),
  };
}

function quoteOf({ token, priceAtomic, requirement }: Offer, request: string): Quote {
  const { network, address } = token;
  return { request, network, asset: address, price: formatDollars(priceAtomic), payTo: requirement.payTo };
}

async function approve({ account, onBeforePay }: DealsClientOptions, quote: Quote): Promise<Payer> {
  if (account === undefined)
    throw createPurchaseError(
      'key_needed',
      `The price is $${quote.price} on ${quote.network}, and the client has no account to pay it. Nothing was signed.`,
    );
  if ((await onBeforePay?.(quote)) === false)
    throw createPurchaseError('not_approved', `The price of $${quote.price} was not approved. Nothing was signed.`);
  return account;
}
