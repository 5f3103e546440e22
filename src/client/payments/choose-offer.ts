import type { Challenge, Requirement } from './challenge.js';
import { type Network, networks } from '../../wire/networks.js';
import { createPurchaseError } from '../error-classes.js';
import { formatDollars, formatUsd } from './usd.js';

/** A possible payment: the server's requirement and its price. */
export interface Offer {
  readonly challenge: Challenge;
  readonly requirement: Requirement;
  readonly token: Network;
  /** In atomic units of a dollar token with 6 decimals. */
  readonly priceAtomic: bigint;
}

/**
 * Chooses the cheapest requirement that this client can pay: scheme exact, in one of the given dollar tokens. A price
 * limit in dollars is meaningless for any other token, so none is signed for, whatever a challenge calls it.
 * @throws PurchaseError `no_acceptable_payment`, naming what the server accepts.
 */
export function chooseOffer(challenge: Challenge, tokens: readonly Network[] = networks): Offer {
  const [cheapest] = challenge.accepts
    .flatMap((requirement) => toOffer(challenge, requirement, tokens) ?? [])
    .sort((a, b) => (a.priceAtomic < b.priceAtomic ? -1 : 1));
  if (cheapest !== undefined) return cheapest;
  const asked = challenge.accepts.map(({ scheme, network, asset }) => `${scheme} on ${network} in ${asset}`);
  throw createPurchaseError(
    'no_acceptable_payment',
    `The server accepts ${asked.join(', or ') || 'no payment at all'}. ` +
      `This client pays exact amounts of USDC on ${tokens.map(({ id }) => id).join(', ')}. Nothing was paid.`,
  );
}

function toOffer(challenge: Challenge, requirement: Requirement, tokens: readonly Network[]): Offer | undefined {
  const token = tokens.find(
    ({ id, asset }) => id === requirement.network && asset.toLowerCase() === requirement.asset.toLowerCase(),
  );
  const { scheme, amount, payTo, maxTimeoutSeconds } = requirement;
  const isPayable =
    scheme === 'exact' &&
    /^[1-9][0-9]{0,30}$/.test(amount) &&
    /^0x[0-9a-fA-F]{40}$/.test(payTo) &&
    maxTimeoutSeconds > 0;
  return token && isPayable ? { challenge, requirement, token, priceAtomic: BigInt(amount) } : undefined;
}

/** The price limit when the buyer sets none: ten cents, in atomic units. */
export const defaultMaxPriceAtomic = 100_000n;

/** @throws PurchaseError `price_above_limit` when an offer exceeds the limit, in atomic units. */
export function assertAffordable({ priceAtomic }: Offer, maxPriceAtomic: bigint): void {
  if (priceAtomic <= maxPriceAtomic) return;
  throw createPurchaseError(
    'price_above_limit',
    `The price is ${formatUsd(priceAtomic)}, above the limit of ${formatUsd(maxPriceAtomic)}. Nothing was paid.`,
    { price: formatDollars(priceAtomic) },
  );
}
