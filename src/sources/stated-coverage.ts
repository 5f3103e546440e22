import { z } from 'zod';
import { countyNames } from '../places/metros/counties.js';
import { findMetro } from '../places/metros/metros.js';

/** The counties that a source of listings covers, as a configuration states them: states, FIPS codes, metros. */
export const covers = z
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

/** What is wrong with a new source of listings that does not say what it covers. */
export const coversMissing =
  'covers: say which counties the listings are of, such as ["OH", "18097", "kansas-city"]: states, FIPS codes or metros.';
