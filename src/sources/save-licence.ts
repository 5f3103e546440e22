import type { Knex } from 'knex';
import type { DeliveryKind, Source } from './source.js';
import type { StatedRights } from './stated-licence.js';

/** Who sees a source, and when. */
export interface Sight {
  /** The name of this instance. */
  readonly instance: string;
  readonly now: Date;
}

/**
 * Keeps the licence record of a source that is seen, as configured now. Readers go by this record, so a change takes
 * effect at once. A source that an operator removed stays removed.
 */
export async function saveLicence(knex: Knex, source: Source<DeliveryKind>, { instance, now }: Sight): Promise<void> {
  const { name, kind, delivers, licence } = source;
  await knex.raw(upsert, {
    name,
    kind,
    delivers,
    class: licence.class,
    mayStore: licence.mayStore,
    mayResell: licence.mayResell,
    attribution: licence.attribution,
    undisplayed: [...(licence.undisplayedFields ?? [])],
    expiresAt: licence.expiresAt ?? null,
    instance,
    covers: source.covers === undefined ? null : [...source.covers],
    now,
  });
}

const isOther = `(s.kind, s.delivers, s.licence_class, s.may_store, s.may_resell, s.attribution, s.undisplayed_fields, s.expires_at,
      s.covers, s.last_seen_at is not null)
    is distinct from (excluded.kind, excluded.delivers, excluded.licence_class, excluded.may_store, excluded.may_resell,
      excluded.attribution, excluded.undisplayed_fields, excluded.expires_at, excluded.covers, true)`;

/** That a field was shown and must not be any more is a takedown of what was published before. */
const upsert = `
  with takedown as (
    update takedown_number set number = number + 1
    where exists (select from sources s where s.name = :name and not cast(:undisplayed as text[]) <@ s.undisplayed_fields)
    returning number)
  insert into sources as s (name, kind, delivers, licence_class, may_store, may_resell, attribution, undisplayed_fields, expires_at,
    covers, last_seen_by, last_seen_at, changed_at)
  values (:name, :kind, :delivers, :class, :mayStore, :mayResell, :attribution, :undisplayed, :expiresAt,
    cast(:covers as text[]), :instance, :now, :now)
  on conflict (name) do update set
    kind = excluded.kind, delivers = excluded.delivers, licence_class = excluded.licence_class,
    may_store = excluded.may_store, may_resell = excluded.may_resell, attribution = excluded.attribution,
    undisplayed_fields = excluded.undisplayed_fields, expires_at = excluded.expires_at,
    covers = excluded.covers, last_seen_by = excluded.last_seen_by, last_seen_at = excluded.last_seen_at,
    unseen_since = null,
    changed_at = case when ${isOther} then excluded.changed_at else s.changed_at end,
    narrowed_at = case when excluded.undisplayed_fields <@ s.undisplayed_fields then s.narrowed_at else excluded.changed_at end,
    narrowed_by = coalesce((select number from takedown), s.narrowed_by)`;

/** Ends the rights that are stated no more. Gives none, and changes nothing of a source that is not known. */
export async function narrowRights(knex: Knex, rights: StatedRights, now: Date): Promise<void> {
  const { source, mayStore, mayResell, expiresAt = null } = rights;
  await knex.raw(narrow, { source, mayStore, mayResell, expiresAt, now });
}

// Without a date "least" gives the other one.
const narrow = `
  update sources set may_store = may_store and :mayStore, may_resell = may_resell and :mayResell,
    expires_at = least(expires_at, :expiresAt::timestamptz), changed_at = :now
  where name = :source and (may_store > :mayStore or may_resell > :mayResell
    or expires_at is distinct from least(expires_at, :expiresAt::timestamptz))`;
