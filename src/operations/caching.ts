/** Who may keep a free reply. Source: docs/decisions/contract.md. */
export const freeCaching = 'public, max-age=60';

/** Nobody but its buyer has a paid reply, and no cache keeps it. */
export const paidCaching = 'private, no-store';
