import { z } from 'zod';

/**
 * What a configuration says may be done with the rows of a source that is not read: it is wrong elsewhere, or not
 * enabled.
 */
export interface StatedRights {
  readonly source: string;
  readonly mayStore: boolean;
  readonly mayResell: boolean;
  readonly expiresAt: Date | undefined;
}

const stated = z.object({
  name: z.string(),
  licence: z.object({
    mayStore: z.boolean().catch(true),
    mayResell: z.boolean().catch(true),
    expiresAt: z.union([z.iso.date(), z.iso.datetime()]).optional().catch(undefined),
  }),
});

/**
 * Reads the rights alone, as far as they can be read; undefined where nothing is said of a named source. Never throws.
 */
export function readStatedRights(value: unknown): StatedRights | undefined {
  const { data } = stated.safeParse(value);
  if (data === undefined) return undefined;
  const { name, licence } = data;
  const { expiresAt } = licence;
  return { ...licence, source: name, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) };
}
