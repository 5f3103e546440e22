/** Invalid command line. The message says why and what to use instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
