/** True when the error has one of these codes: a system code such as `ENOENT`, or a SQLSTATE of the database. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
