/** So many records are looked at in a few milliseconds, also by code that is not compiled yet. */
export const recordsPerTurn = 1_000;
