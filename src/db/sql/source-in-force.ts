/**
 * SQL: true for a source `src` whose rows may be offered at `:now`: seen once and not removed by an operator, with a
 * licence in force that allows to keep and to sell them. Whether any instance sees the source now plays no part.
 */
export const sourceInForce = `src.last_seen_at is not null and src.removed_at is null and src.may_store and src.may_resell
    and (src.expires_at is null or src.expires_at > :now)`;

/** SQL: true for a source `src` whose licence came, changed or ended at or after `:since`. */
export const sourceChanged = `(src.changed_at >= :since or (src.expires_at >= :since and src.expires_at <= :now))`;
