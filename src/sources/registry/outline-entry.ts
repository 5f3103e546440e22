import { z } from 'zod';
import { recordKinds } from '../formats/county-table.js';
import { type SourceOutline, withoutRights } from '../source.js';
import { deliveredBy, sourceKinds } from './source-entry.js';

const outline = z.object({
  kind: z.enum(sourceKinds),
  delivers: z.enum(recordKinds).optional().catch(undefined),
});

/** What can be read of an entry that is wrong, without its licence: that may be what is wrong. Never throws. */
export function outlineEntry(value: unknown): SourceOutline {
  const { data } = outline.safeParse(value);
  if (data === undefined) return { kind: 'unknown', delivers: 'listings', licence: withoutRights };
  return { kind: data.kind, delivers: deliveredBy(data), licence: withoutRights };
}
