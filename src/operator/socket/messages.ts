import { z } from 'zod';

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{40,64}$/)]);
const day = z.iso.date().optional();

const ledgerQuestionSchema = z.discriminatedUnion('about', [
  z.object({ about: z.literal('report'), by: z.enum(['day', 'operation', 'payer']), from: day, to: day }),
  z.object({ about: z.literal('demand'), from: day, to: day }),
  z.object({ about: z.literal('export'), from: day, to: day }),
  z.object({ about: z.literal('receipts'), payer: hex, from: day, to: day }),
  z.object({ about: z.literal('payments'), hex }),
  z.object({ about: z.literal('balance') }),
  z.object({ about: z.literal('refunds') }),
  z.object({ about: z.literal('refund'), paymentId: hex, transaction: hex }),
]);

/**
 * An operator's question to the ledger. Days are `YYYY-MM-DD` in UTC, both included; `hex` is an id, a transaction or a
 * payer.
 */
export type LedgerQuestion = z.infer<typeof ledgerQuestionSchema>;

const reason = z.string().min(1).max(200);
const orderSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('ingest'),
    source: z.string().max(100),
    since: z.string().max(500).optional(),
    dryRun: z.boolean(),
    acceptShrink: z.boolean(),
  }),
  z.object({
    do: z.literal('load-rents'),
    files: z.array(z.string().max(1000)).min(1).max(20),
    dryRun: z.boolean(),
    partial: z.boolean(),
    pack: z.string().max(1000).optional(),
  }),
  z.object({ do: z.literal('remove-source'), source: z.string().max(100) }),
  z.object({ do: z.literal('restore-source'), source: z.string().max(100) }),
  z.object({ do: z.literal('rebuild'), since: day }),
  z.object({ do: z.literal('suppress-address'), address: z.string().max(300), reason }),
  z.object({ do: z.literal('suppress-parcel'), countyFips: z.string().max(5), parcelId: z.string().max(100), reason }),
]);

/**
 * An operator's order other than a job. `since` is the source's watermark to read from; of a rebuild, a day in UTC.
 * Paths are absolute.
 * `acceptShrink` confirms that the source really lost over 40% of its rows.
 */
export type Order = z.infer<typeof orderSchema>;

const rejectsQuestionSchema = z.object({
  source: z.string().max(100),
  /** A field of a record, such as `listPrice`; all when it is not given. */
  column: z.string().max(100).optional(),
  limit: z.int().min(1).max(2000),
});
export type RejectsQuestion = z.infer<typeof rejectsQuestionSchema>;

/**
 * The messages of the control socket: one line of JSON with the question, then lines of JSON with the answer. The last
 * line is never progress or rows.
 */
export const questionSchema = z.discriminatedUnion('verb', [
  z.object({ verb: z.literal('jobs') }),
  z.object({ verb: z.literal('run'), job: z.string().max(100), waits: z.boolean().optional() }),
  z.object({ verb: z.literal('sources') }),
  z.object({ verb: z.literal('rejects'), question: rejectsQuestionSchema }),
  z.object({ verb: z.literal('order'), order: orderSchema, waits: z.boolean().optional() }),
  z.object({ verb: z.literal('ledger'), question: ledgerQuestionSchema }),
]);
export type Question = z.infer<typeof questionSchema>;

const figuresSchema = z.record(z.string(), z.union([z.number(), z.string()]));

export const answerSchema = z.union([
  z.object({ progress: figuresSchema }),
  z.object({ figures: figuresSchema }),
  z.object({ rows: z.array(z.array(z.string())) }),
  z.object({ notes: z.array(z.string()) }),
  z.object({
    jobs: z.array(
      z.object({
        job: z.string(),
        state: z.enum(['never run', 'running', 'succeeded', 'failed']),
        lastSlot: z.string().nullable(),
        next: z.string(),
        error: z.string().nullable(),
      }),
    ),
  }),
  /** One sentence: the problem and its remedy. */
  z.object({ problem: z.string() }),
]);
export type Answer = z.infer<typeof answerSchema>;
