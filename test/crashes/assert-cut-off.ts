/** Requests to a dying process fail with a broken connection; any other error is a failure. */
export function assertCutOff(error: unknown): void {
  const isCutOff =
    error instanceof TypeError || (error instanceof Error && error.message.startsWith('The server ended'));
  if (!isCutOff) throw error;
}
