export type SourceErrorCode =
  | 'manifest_invalid'
  | 'configuration_invalid'
  | 'licence_ended'
  | 'delivery_missing'
  | 'delivery_incomplete'
  | 'delivery_changed'
  | 'delivery_unreadable'
  | 'count_mismatch'
  | 'upstream_refused'
  | 'upstream_unavailable'
  | 'upstream_not_ready'
  | 'upstream_too_large'
  | 'address_forbidden'
  | 'robots_disallowed';

/**
 * A source that cannot be read as a whole. The run fails, nothing is retired, and what the source said last stays in
 * force. The message is one plain sentence without any row's text: what is wrong and what to do.
 */
export class SourceError extends Error {
  readonly code: SourceErrorCode;

  constructor(code: SourceErrorCode, message: string) {
    super(message);
    this.name = 'SourceError';
    this.code = code;
  }
}

/** The source does not have the shape that it is read by. */
export function unreadable(message: string): SourceError {
  return new SourceError('delivery_unreadable', message);
}

/** `what` with its verb, such as `The layer of county-taxes changed`. */
export function changedWhileRead(what: string): SourceError {
  return new SourceError(
    'delivery_changed',
    `${what} while it was being read. Nothing is retired; the next run reads it whole.`,
  );
}
