/**
 * SQL: when a row `s` of a source `src` was last seen. Unless missing, a row was seen whenever its source was, since
 * unchanged rows are not written.
 */
export const lastSeen = `
  case when s.missing_run_id is null then greatest(s.last_seen_at, src.seen_at) else s.last_seen_at end`;
