import { z } from 'zod';
import { undisplayedFields } from './display-fields.js';
import { type DeliveryKind, type Licence, licenceClasses } from './source.js';

/** One line for an operator or a buyer, of 1 to `max` characters. */
export const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}]*$/u, 'must not hold control characters');

export const sourceName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be 1 to 63 lower-case letters, digits and hyphens');

/** A licence as a configuration states it. */
export const statedLicence = z.strictObject({
  class: z.enum(licenceClasses),
  mayStore: z.boolean(),
  mayResell: z.boolean(),
  attribution: oneLine(300),
  displayFields: z.array(oneLine(40)).max(40).optional(),
  expiresAt: z.union([z.iso.date(), z.iso.datetime()]).optional(),
});

/** The licence of a source that delivers this kind of records. */
export function toLicence(delivers: DeliveryKind, stated: z.infer<typeof statedLicence>): Licence {
  const { class: licenceClass, mayStore, mayResell, attribution, displayFields, expiresAt } = stated;
  return {
    ...{ class: licenceClass, mayStore, mayResell, attribution },
    undisplayedFields: undisplayedFields(delivers, displayFields),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
  };
}

/**
 * The rights that a configuration states for a source that is not read, since it is disabled or invalid elsewhere. Used
 * only to take rights away from a known source (`narrowRights`), never to give any.
 */
export interface StatedRights {
  readonly source: string;
  readonly mayStore: boolean;
  readonly mayResell: boolean;
  readonly expiresAt: Date | undefined;
}

const statedRights = z.object({
  name: z.string(),
  licence: z.object({
    // `true` takes no right away: an unreadable value changes nothing.
    mayStore: z.boolean().catch(true),
    mayResell: z.boolean().catch(true),
    expiresAt: z.union([z.iso.date(), z.iso.datetime()]).optional().catch(undefined),
  }),
});

/**
 * Reads only the rights, as far as they are readable; undefined without a source's name and a licence. Never throws.
 */
export function readStatedRights(value: unknown): StatedRights | undefined {
  const { data } = statedRights.safeParse(value);
  if (data === undefined) return undefined;
  const { name, licence } = data;
  const { expiresAt } = licence;
  return { ...licence, source: name, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) };
}
