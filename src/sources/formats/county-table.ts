import { z } from 'zod';
import { findTimeZone } from '../../places/metros/counties.js';
import { isSameTime } from '../../places/metros/local-date-of.js';
import { stateFips } from '../../places/metros/states.js';
import { oneLine } from '../stated-licence.js';
import type { CountyField } from './record-mapping.js';

// Schemas shared by drop manifests and the file of sources: how a county's table is read.

export const comment = z.string().optional();
export const column = oneLine(200);
export const stateCode = z
  .string()
  .refine((code) => stateFips.has(code), 'must be the two-letter code of a US state, in capitals');
export const countyFips = z.string().regex(/^\d{5}$/, 'must be the five digits of a county');
export const isOfState = ({ fips, state }: { readonly fips: string; readonly state: string }) =>
  fips.startsWith(stateFips.get(state) ?? '-');
export const ofState = { message: 'must lie in the state that is given', path: ['fips'] };
export const county = z
  .strictObject({
    comment,
    fips: countyFips,
    state: stateCode,
    timeZone: z.string().optional(),
    parcelLength: z.number().int().min(1).max(60).optional(),
  })
  .refine(isOfState, ofState)
  .superRefine(({ fips, timeZone }, context) => {
    // An entry may state the time zone, which must be the county's.
    const own = findTimeZone(fips);
    if (own === undefined || timeZone === undefined || isSameTime(timeZone, own)) return;
    context.addIssue({ code: 'custom', path: ['timeZone'], message: `must be ${own}, the county's own, or left out` });
  });
export const recordUrl = z.string().refine(isHttps, 'must be an https address').max(500);
/** How a county's table is read, by the fields to which its columns may be mapped. */
export const table = <F extends CountyField>(fields: readonly F[]) => ({
  county,
  key: z.array(column).min(1).max(5),
  columns: z
    .partialRecord(z.enum(fields), column)
    .refine(
      (columns): boolean => Object.keys(columns).some((field) => ['parcelId', 'caseNumber'].includes(field)),
      'must name the column of parcelId or caseNumber',
    ),
  constants: z.partialRecord(z.enum(fields), oneLine(200)).default({}),
  flags: z.record(column, z.boolean()).default({}),
  recordUrl,
});

function isHttps(value: string): boolean {
  return /^https:\/\/[^@\s]+$/.test(value) && URL.canParse(value);
}
