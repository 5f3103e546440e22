import type { Knex } from 'knex';
import { readStandings, type SourceStanding } from './standings-reader.js';

/** How a source stands, and what it has brought. */
export interface SourceState extends SourceStanding {
  /**
   * What of this source is current now: listings that are active, taxes that are not resolved, rents of any year, and
   * so on.
   */
  readonly records: number;
}

/** Reads all sources that were ever configured, by name, and counts their records. */
export async function readSources(knex: Knex): Promise<SourceState[]> {
  const { rows } = await knex.raw<{ rows: { name: string; records: string }[] }>(countRecords);
  const records = new Map(rows.map((row) => [row.name, Number(row.records)]));
  return (await readStandings(knex)).map((source) => ({
    ...source,
    records: records.get(source.name) ?? 0,
  }));
}

const countRecords = `
  select s.name,
    case s.delivers
      when 'listings' then (select count(*) from listing_sources l where l.source_name = s.name and l.active)
      when 'signals' then (select count(*) from signals i where i.source_name = s.name and i.resolved_at is null)
      when 'auctions' then (
        select count(*) from auctions a
        where a.source_name = s.name and a.missing_run_id is null and a.replaced_at is null)
      when 'parcels' then (select count(*) from parcels p where p.source_name = s.name and p.retired_at is null)
      when 'rents' then (select count(*) from hud_rents h where h.source_name = s.name)
      else 0 end as records
  from sources s`;
