import * as z from 'zod/mini';
import { createPurchaseError } from '../error-classes.js';
import { parseJson } from '../wire/parse-json.js';

const keptPayment = z.object({
  /** Address of the request that it is for, with its query. */
  url: z.string(),
  network: z.string(),
  asset: z.string(),
  payer: z.string(),
  nonce: z.string(),
  /** Atomic units of a dollar token with 6 decimals. */
  amount: z.string().check(z.regex(/^[0-9]+$/)),
  /** Unix seconds; after it the payment cannot be charged any more, unless it was before. */
  validBefore: z.number(),
  /** The PAYMENT-SIGNATURE that was, or may have been, presented. Without it nothing was, or nothing is left to get. */
  header: z.optional(z.string()),
  /** True when somebody presented it whose answer is not known here: no refusal ends it then, only time. */
  isShared: z.optional(z.literal(true)),
  /** When it was known to be charged. */
  paidAtMs: z.optional(z.number()),
});

/** A payment as a client keeps it, from before it is signed until its day is over. */
export type KeptPayment = z.infer<typeof keptPayment>;

const content = z.object({ version: z.literal(1), payments: z.array(keptPayment) });

/** Reads what a storage holds. @throws PurchaseError `storage_failed`: what is there must not be overlooked. */
export function readKeptPayments(text: string | undefined): readonly KeptPayment[] {
  if (text === undefined) return [];
  const parsed = z.safeParse(content, parseJson(text));
  if (parsed.success) return parsed.data.payments;
  throw createPurchaseError(
    'storage_failed',
    'What is kept of earlier payments cannot be read. Nothing is signed while it is there; look at it, then remove it.',
  );
}

/** What a storage is to hold. */
export function writeKeptPayments(payments: readonly KeptPayment[]): string {
  return JSON.stringify({ version: 1, payments });
}
