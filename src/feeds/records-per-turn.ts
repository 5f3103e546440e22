/** So many records are looked at in a few milliseconds. */
export const recordsPerTurn = 10_000;
