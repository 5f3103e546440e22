import * as z from 'zod/mini';
import { createPurchaseError } from '../error-classes.js';
import { parseJson } from '../wire/base64-json.js';

const keptPayment = z.object({
  /** Address of the request, with its query. */
  url: z.string(),
  network: z.string(),
  asset: z.string(),
  payer: z.string(),
  nonce: z.string(),
  /** Atomic units of a dollar token with 6 decimals. */
  amount: z.string().check(z.regex(/^[0-9]+$/)),
  /** Unix seconds. The payment cannot be charged for the first time after this. */
  validBefore: z.number(),
  /** The PAYMENT-SIGNATURE that may have been presented. Missing: never presented, or closed. */
  header: z.optional(z.string()),
  /** True when the outcome of an earlier presentation is unknown. Then no refusal ends the payment; only time does. */
  isShared: z.optional(z.literal(true)),
  /** When the charge became known. */
  paidAtMs: z.optional(z.number()),
});

/** A payment as the client keeps it, from before its signature until a day after its charge. */
export type KeptPayment = z.infer<typeof keptPayment>;

const content = z.object({ version: z.literal(1), payments: z.array(keptPayment) });

/** Parses the text of a storage. @throws PurchaseError `storage_failed`: unreadable payments must not be ignored. */
export function readKeptPayments(text: string | undefined): readonly KeptPayment[] {
  if (text === undefined) return [];
  const parsed = z.safeParse(content, parseJson(text));
  if (parsed.success) return parsed.data.payments;
  throw createPurchaseError(
    'storage_failed',
    'The stored payments cannot be read. Nothing is signed until they are repaired or removed; check them first.',
  );
}

/** The text to store for these payments. */
export function writeKeptPayments(payments: readonly KeptPayment[]): string {
  return JSON.stringify({ version: 1, payments });
}
