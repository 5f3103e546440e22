import type { Hex } from './chain/eip3009.js';
import type { Network } from '../wire/networks.js';

/** Where and to whom payments go; configuration. Prices are the contract's alone. */
export interface PaymentTerms {
  readonly network: Network;
  readonly payTo: Hex;
}

/** One accepted payment on the wire (x402 v2, scheme exact). */
export interface PaymentRequirements {
  readonly scheme: 'exact';
  readonly network: string;
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string };
}

/** How far ahead an authorization should be valid, as announced; more is accepted. */
export const maxTimeoutSeconds = 300;

/** What is to be signed for an amount under these terms. */
export function requirementsFor(terms: PaymentTerms, amount: bigint): PaymentRequirements {
  return {
    scheme: 'exact',
    network: terms.network.id,
    amount: amount.toString(),
    asset: terms.network.asset,
    payTo: terms.payTo,
    maxTimeoutSeconds,
    extra: { name: terms.network.domain.name, version: terms.network.domain.version },
  };
}
