import type { Knex } from 'knex';
import { readRentTable, type RentTable } from './rent-table.js';

/** A row of `rent_tables`: a table in the form that `writeRentTable` writes. */
interface RentTableRow {
  /** The table's own. */
  sha256: string;
  fiscal_year: number;
  loaded_at: Date;
  content: string;
}

/** Keeps tables with their texts, in one statement: all or none. One that was loaded before stays as it is. */
export async function keepRentTables(
  knex: Knex,
  tables: readonly { readonly table: Pick<RentTable, 'header'>; readonly text: string }[],
  now: Date,
): Promise<void> {
  const rows = tables.map(({ table: { header }, text }) => ({
    sha256: header.sha256,
    fiscal_year: header.fiscal_year,
    loaded_at: now,
    content: text,
  }));
  await knex<RentTableRow>('rent_tables').insert(rows).onConflict('sha256').ignore();
}

/** Creates the reader of the loaded tables, which parses each once. */
export function createReadLoadedTables(knex: Knex): () => Promise<readonly RentTable[]> {
  const parsed = new Map<string, RentTable>();
  return async () => {
    const kept = await knex<RentTableRow>('rent_tables').pluck<string[]>('sha256');
    const added = await knex<RentTableRow>('rent_tables')
      .whereNotIn('sha256', [...parsed.keys()])
      .select('sha256', 'content');
    for (const { sha256, content } of added) parsed.set(sha256, readRentTable(Buffer.from(content, 'latin1')));
    return kept.flatMap((sha256) => parsed.get(sha256) ?? []);
  };
}

/** The first line of each loaded table. */
export async function readLoadedHeaders(knex: Knex): Promise<Pick<RentTable, 'header'>[]> {
  const lines = knex.raw<string>(`split_part(content, chr(10), 1) as header`);
  const rows = await knex<RentTableRow>('rent_tables').select<{ header: string }[]>(lines);
  return rows.map(({ header }) => ({ header: JSON.parse(header) as RentTable['header'] }));
}

/** Whether a table was loaded at or after a time. */
export async function wasTableLoaded(knex: Knex, since: Date): Promise<boolean> {
  const loaded = await knex<RentTableRow>('rent_tables').where('loaded_at', '>=', since).first('sha256');
  return loaded !== undefined;
}
