import type { ServiceError } from '../errors.js';

/** Longest header of this kind that is read, in bytes. */
const maxHeaderBytes = 16_384;

/** The value of a header that carries JSON, as x402 and sign-in-with-x have it: base64 of its UTF-8 text. */
export function encodeJsonHeader(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/**
 * Reads such a header.
 *
 * @param malformed makes the error from the end of a sentence that begins with the header's name
 */
export function decodeJsonHeader(header: string, malformed: (fault: string) => ServiceError): object {
  if (header.length > maxHeaderBytes) throw malformed('is longer than 16 KB');
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
