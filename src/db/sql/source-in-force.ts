/**
 * SQL: true for a source `src` whose rows may be offered at `:now`: seen at least once, not removed by an operator,
 * with a licence in force that allows storing and resale. Does not depend on whether an instance sees the source now.
 */
export const sourceGranted =
  'src.last_seen_at is not null and src.removed_at is null and src.may_store and src.may_resell';

/** SQL: true for a source `src` whose rows may be offered at `:now`. */
export const sourceInForce = `${sourceGranted} and (src.expires_at is null or src.expires_at > :now)`;

/** SQL: true for a source `src` whose licence began, changed or ended at or after `:since`. */
export const sourceChanged = `(src.changed_at >= :since or (src.expires_at >= :since and src.expires_at <= :now))`;
