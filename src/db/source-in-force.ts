/**
 * SQL: true for a source `src` whose rows may be offered at `:now`: configured, with a licence in force that allows to keep
 * and to sell them.
 */
export const sourceInForce = `src.configured and src.may_store and src.may_resell
    and (src.expires_at is null or src.expires_at > :now)`;

/** SQL: true for a source `src` whose licence came, changed or ended at or after `:since`. */
export const sourceChanged = `(src.changed_at >= :since or (src.expires_at >= :since and src.expires_at <= :now))`;
