import * as z from 'zod/mini';
import { decodeBase64Json } from '../wire/base64-json.js';
import { createPurchaseError } from '../error-classes.js';
import type { Reply } from '../service-client.js';

/** Loose, because a requirement is sent back unchanged. */
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
  extensions: z.optional(z.record(z.string(), z.unknown())),
});

/** The PaymentRequired object of an x402 v2 402. */
export type Challenge = z.infer<typeof challenge>;
export type Requirement = z.infer<typeof requirement>;

/** Finds the challenge of a 402 in the PAYMENT-REQUIRED header, or else in the body; undefined when it has none. */
export function findChallenge({ status, headers, error }: Reply): Challenge | undefined {
  const header = headers.get('payment-required');
  return status === 402 ? z.safeParse(challenge, header === null ? error : decodeBase64Json(header)).data : undefined;
}

/** Reads the challenge of a 402. @throws PurchaseError `challenge_unreadable`. */
export function readChallenge(reply: Reply): Challenge {
  const found = findChallenge(reply);
  if (found !== undefined) return found;
  throw createPurchaseError(
    'challenge_unreadable',
    'The server asks for payment, but not by x402 version 2. Nothing was paid.',
    { status: reply.status },
  );
}

const receipt = z.object({
  success: z.literal(true),
  payer: z.optional(z.string()),
  transaction: z.string().check(z.minLength(1)),
  network: z.string(),
  /** Atomic units. */
  amount: z.optional(z.string().check(z.regex(/^[0-9]{1,78}$/))),
});

/** The server's statement of the settlement. The transaction can be checked on its network. */
export type Receipt = z.infer<typeof receipt>;

/** The receipt in the PAYMENT-RESPONSE header of a paid reply; undefined when missing or unreadable. */
export function readReceipt(headers: Headers): Receipt | undefined {
  const header = headers.get('payment-response');
  return header === null ? undefined : z.safeParse(receipt, decodeBase64Json(header)).data;
}
