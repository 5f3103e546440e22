/** The command line cannot be understood; the message says why, and what to say instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
