import type { Asset, DealsClientOptions } from './deals-client.js';
import { type Network, networks } from '../wire/networks.js';
import type { Budget } from './payments/payment-journal.js';
import { defaultMaxPriceAtomic } from './payments/choose-offer.js';
import { readServerAddress } from './wire/server-address.js';
import { parseUsd } from './payments/usd.js';

/** A client's options, parsed and validated. */
export interface ClientSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly maxPriceAtomic: bigint;
  readonly budget: Budget;
  readonly tokens: readonly Network[];
  readonly maxAttempts: number;
}

/** Parses and validates the options of a client. @throws RangeError that names the invalid option */
export function readClientSettings(options: Omit<DealsClientOptions, 'onWait'>): ClientSettings {
  const { maxPricePerCall, budget = {}, allowedAssets, maxAttempts = 6 } = options;
  const baseUrl = readServerAddress(options.baseUrl);
  if (baseUrl === undefined)
    throw new RangeError('baseUrl must be an http or https address, without a user, a query or a fragment.');
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
export function readDollars(name: string, text: string | undefined): bigint | undefined {
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
