import { z } from 'zod';
import { decodeHeader } from './challenge.js';

const receipt = z.object({
  success: z.literal(true),
  payer: z.string().optional(),
  transaction: z.string().min(1),
  network: z.string(),
  /** Atomic units. */
  amount: z
    .string()
    .regex(/^[0-9]{1,78}$/)
    .optional(),
});

/** What the server says of the settlement; the transaction can be looked up on its network. */
export type Receipt = z.infer<typeof receipt>;

/** The receipt in the PAYMENT-RESPONSE header of a paid reply; undefined when there is none that can be read. */
export function readReceipt(headers: Headers): Receipt | undefined {
  const header = headers.get('payment-response');
  return header === null ? undefined : receipt.safeParse(decodeHeader(header)).data;
}
