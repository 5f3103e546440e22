import { z } from 'zod';

/**
 * What passes through the door: one line of JSON with the question, then lines of JSON with the answer, then the end.
 * The last line is never a progress.
 */
export const questionSchema = z.discriminatedUnion('verb', [
  z.object({ verb: z.literal('jobs') }),
  z.object({ verb: z.literal('run'), job: z.string().max(100) }),
]);
export type Question = z.infer<typeof questionSchema>;

const figuresSchema = z.record(z.string(), z.union([z.number(), z.string()]));

export const answerSchema = z.union([
  z.object({ progress: figuresSchema }),
  z.object({ figures: figuresSchema }),
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
  /** What is wrong and what to do, in a sentence. */
  z.object({ problem: z.string() }),
]);
export type Answer = z.infer<typeof answerSchema>;
