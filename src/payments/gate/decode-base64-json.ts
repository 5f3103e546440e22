import type { ServiceError } from '../../errors.js';

/** Longest header of this kind that is read, in bytes. */
export const maxJsonHeaderBytes = 16_384;

/**
 * Reads a header that is one base64 text of a JSON object.
 *
 * @throws what `malformed` makes of the end of a sentence that begins with the header's name.
 */
export function decodeBase64Json(header: string, malformed: (fault: string) => ServiceError): object {
  if (header.length > maxJsonHeaderBytes) throw malformed('is longer than 16 KB');
  if (header.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(header))
    throw malformed('is not base64 (standard alphabet with padding)');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
  } catch {
    throw malformed('does not hold JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed('does not hold a JSON object');
  return value;
}
