/** True when the error carries one of these codes: `ENOENT` of the system, or a SQLSTATE of the database. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
