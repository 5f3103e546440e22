import type { Knex } from 'knex';
import { sourceInForce } from '../db/sql/source-in-force.js';
import { sawAllChanges } from './ingest/run-store.js';

/** Kinds of records that are for sale by county. */
export type CoveringKind = 'listings' | 'signals' | 'auctions';

/** The counties that a source in force declares, and since when buyers have what it read last. */
export interface SourceCoverage {
  readonly name: string;
  readonly delivers: CoveringKind;
  /** Five-digit FIPS codes; of a source that declares none, those of its current listings. */
  readonly counties: readonly string[];
  /** When the latest complete run ended that was published in the feed of its kind; undefined before the first. */
  readonly asOf: Date | undefined;
  /** The same in the feed of the leads. */
  readonly leadsAsOf: Date | undefined;
}

/** Reads the coverage of all known sources that are in force, by name. */
export async function readSourceCoverage(knex: Knex, now: Date): Promise<readonly SourceCoverage[]> {
  const { rows } = await knex.raw<{ rows: SourceRow[] }>(query, { now });
  return rows.map((row) => ({ ...row, asOf: row.asOf ?? undefined, leadsAsOf: row.leadsAsOf ?? undefined }));
}

interface SourceRow extends Omit<SourceCoverage, 'asOf' | 'leadsAsOf'> {
  readonly asOf: Date | null;
  readonly leadsAsOf: Date | null;
}

const latestRun = `
  (select r.finished_at from source_runs r where r.source_name = src.name and r.status in ('completed', 'unchanged')
    and ${sawAllChanges} and r.finished_at <= own.complete_as_of`;

const query = `
  select src.name, src.delivers,
    coalesce(src.covers, array(select distinct l.county_fips from listing_sources l
      where l.source_name = src.name and l.active and l.county_fips is not null)) as counties,
    ${latestRun} order by r.id desc limit 1) as "asOf",
    ${latestRun} and r.finished_at <= leads.complete_as_of order by r.id desc limit 1) as "leadsAsOf"
  from sources src
  left join feed_versions own on own.feed = case src.delivers when 'listings' then 'deals' else src.delivers end
  left join feed_versions leads on leads.feed = 'leads'
  where src.delivers in ('listings', 'signals', 'auctions') and ${sourceInForce}
  order by src.name`;
