import { z } from 'zod';
import { PurchaseError } from './purchase-error.js';
import type { Reply } from './service-client.js';

/** Loose: a requirement is sent back exactly as it came. */
const requirement = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  amount: z.string(),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number(),
});

const challenge = z.looseObject({
  x402Version: z.literal(2),
  resource: z.looseObject({ url: z.string() }),
  accepts: z.array(requirement),
});

/** What a 402 asks for: the PaymentRequired of x402 v2. */
export type Challenge = z.infer<typeof challenge>;
export type Requirement = z.infer<typeof requirement>;

/**
 * Reads the challenge of a 402, from the PAYMENT-REQUIRED header or else from the body.
 *
 * @throws PurchaseError `challenge_unreadable`.
 */
export function readChallenge(reply: Reply): Challenge {
  const header = reply.headers.get('payment-required');
  const parsed = challenge.safeParse(header === null ? reply.error : decodeHeader(header));
  if (parsed.success) return parsed.data;
  throw new PurchaseError(
    'challenge_unreadable',
    'The server asks for payment, but not in the form of x402 version 2. Nothing was signed.',
    { status: reply.status },
  );
}

/** A JSON value in base64, as the headers of x402 carry it; undefined when it is none. */
export function decodeHeader(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}
