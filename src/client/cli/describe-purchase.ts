import type { Quote } from '../deals-client.js';
import { networks } from '../../wire/networks.js';
import { paymentIdOf } from '../payments/payment-id.js';
import { plainText } from '../plain-text.js';
import type { PaidWith } from '../wire/purchase.js';
import { formatUsd } from '../payments/usd.js';

/** A price for a person, without a line feed. */
export function describePrice(quote: Quote | undefined): string {
  if (quote === undefined) return 'Price: free';
  const { price, network, payTo } = quote;
  return `Price: $${price} on ${labelOf(network)}, to ${payTo}`;
}

/** A network for a person: `Base (eip155:8453)`. */
export function labelOf(network: string): string {
  const token = networks.find(({ id }) => id === network);
  return token === undefined ? network : `${token.label} (${network})`;
}

/** The payment of a reply for a person, as lines. */
export function describePayment(paid: PaidWith | undefined): string {
  if (paid === undefined) return 'Free: nothing was paid.\n';
  const { payment, receipt } = paid;
  const earlier = payment.isShared === true ? ['This is the payment of an earlier run; no new one was made.'] : [];
  const told =
    receipt === undefined
      ? [`Paid ${formatUsd(BigInt(payment.amount))}. The server sent no receipt.`]
      : [
          `Paid ${formatUsd(BigInt(receipt.amount ?? payment.amount))} on ${receipt.network}`,
          `Transaction ${receipt.transaction}`,
          ...(receipt.payer === undefined ? [] : [`Payer ${receipt.payer}`]),
        ];
  return [...told, `Payment ${paymentIdOf(payment)}`, ...earlier].map((line) => `${plainText(line)}\n`).join('');
}
