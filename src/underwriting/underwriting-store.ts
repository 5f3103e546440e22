import type { Knex } from 'knex';
import { joinTexts, splitTexts } from '../db/sql/joined-texts.js';
import { nameOfAssumptions } from './underwriting-inputs.js';
import type { Underwriting } from './underwriting.js';

/** A row of `underwritings`: the latest underwriting of a listing. */
export interface UnderwritingRow {
  listing_id: string;
  /** Of the set with the rates of the day: `nameOfAssumptions`. */
  assumption_set: string;
  inputs_hash: string;
  figures: Underwriting;
  computed_at: Date;
}

/** One underwriting to save. */
export interface NewUnderwriting {
  readonly listingId: string;
  readonly inputsHash: string;
  readonly figures: Underwriting;
}

/**
 * SQL: true for an underwriting `u` made after the last narrowing of a source of its listing. An older one may use
 * fields that the licence no longer shows.
 */
export const stillStands = `u.computed_at >= coalesce((
    select max(src.narrowed_at) from listing_sources s join sources src on src.name = s.source_name
    where s.listing_id = u.listing_id), '-infinity')`;

/** The valid saved underwritings of listings, made at or after `since`; by listing id. */
export async function readKept(
  knex: Knex,
  listingIds: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, Omit<NewUnderwriting, 'listingId'>>> {
  type Row = Pick<UnderwritingRow, 'listing_id' | 'inputs_hash' | 'figures'>;
  const { rows } = await knex.raw<{ rows: Row[] }>(selectStanding, { listingIds: [...listingIds], since });
  return new Map(rows.map((row) => [row.listing_id, { inputsHash: row.inputs_hash, figures: row.figures }]));
}

/** Saves underwritings, each replacing the listing's previous one. */
export async function upsertUnderwritings(
  knex: Knex,
  underwritings: readonly NewUnderwriting[],
  computedAt: Date,
): Promise<void> {
  const rows = underwritings.map(({ listingId, inputsHash, figures }) => ({
    listing_id: listingId,
    assumption_set: nameOfAssumptions(figures.assumptionSet, figures.rates),
    inputs_hash: inputsHash,
  }));
  const figures = joinTexts(underwritings.map(({ figures }) => JSON.stringify(figures)));
  await knex.raw(upsert, { rows: JSON.stringify(rows), figures, computedAt });
}

/** Deletes underwritings made before a time. */
export async function discardOlder(knex: Knex, before: Date): Promise<void> {
  await knex<UnderwritingRow>('underwritings').where('computed_at', '<', before).delete();
}

const selectStanding = `
  select u.listing_id, u.inputs_hash, u.figures from underwritings u
  where u.listing_id = any(:listingIds) and u.computed_at >= :since and ${stillStands}`;

const upsert = `
  insert into underwritings (listing_id, assumption_set, inputs_hash, figures, computed_at)
  select r.listing_id, r.assumption_set, r.inputs_hash, cast(r.figures as json), :computedAt
  from rows from (
    json_to_recordset(cast(:rows as json)) as (listing_id uuid, assumption_set text, inputs_hash text),
    ${splitTexts(':figures')}) as r(listing_id, assumption_set, inputs_hash, figures)
  on conflict (listing_id) do update set assumption_set = excluded.assumption_set, inputs_hash = excluded.inputs_hash,
    figures = excluded.figures, computed_at = excluded.computed_at`;
