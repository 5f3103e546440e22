import * as z from 'zod/mini';
import { decodeBase64Json } from '../wire/base64-json.js';

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
