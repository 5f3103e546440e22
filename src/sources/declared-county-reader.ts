import type { Knex } from 'knex';
import { sourceInForce } from '../db/sql/source-in-force.js';
import type { DeliveryKind } from './source.js';

/** A county that a source in force declares. */
export interface DeclaredCounty {
  readonly delivers: DeliveryKind;
  /** Five-digit FIPS code. */
  readonly countyFips: string;
  /**
   * True when the feed of this name was published after a complete run of such a source. Always false for listings,
   * parcels and rents, since no feed has their name.
   */
  readonly isPublished: boolean;
}

/** Reads the counties of all known sources that are in force, whatever rows they have brought. */
export async function readDeclaredCounties(knex: Knex, now: Date): Promise<readonly DeclaredCounty[]> {
  const { rows } = await knex.raw<{ rows: DeclaredCounty[] }>(query, { now });
  return rows;
}

const query = `
  select src.delivers, src.county_fips as "countyFips", bool_or(exists (select 1 from source_runs r
    join feed_versions v on v.feed = src.delivers and v.complete_as_of >= r.finished_at
    where r.source_name = src.name and r.status = 'completed')) as "isPublished"
  from sources src
  where src.county_fips is not null and ${sourceInForce}
  group by 1, 2 order by 1, 2`;
