import { z } from 'zod';
import { countyNames } from '../places/metros/counties.js';
import { findMetro } from '../places/metros/metros.js';

/** The counties that a source of listings covers, configured as states, FIPS codes or metros. */
export const coversSchema = z
  .array(
    z.string().refine((item) => countiesOf(item).length > 0, {
      message: 'must be a state such as OH, a county by its five digits, or a metro such as kansas-city',
    }),
  )
  .min(1, 'must not be empty')
  .max(4_000)
  .transform((items) => [...new Set(items.flatMap(countiesOf))].sort());

function countiesOf(item: string): readonly string[] {
  const metro = findMetro(item);
  if (metro !== undefined) return [metro.countyFips];
  return countyNames
    .filter(({ countyFips, state }) => item === countyFips || item === state)
    .map((each) => each.countyFips);
}

/** The problem of a new source of listings without `covers`. */
export const coversMissing =
  'covers: say which counties the listings are of, such as ["OH", "18097", "kansas-city"]: states, FIPS codes or metros.';
