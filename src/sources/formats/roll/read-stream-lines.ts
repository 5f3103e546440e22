import { unreadable } from '../../source-error.js';

/**
 * The lines of a stream, without line ends.
 *
 * @throws SourceError for a line over the limit, which means that the stream is not a text file
 */
export async function* readStreamLines(stream: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, from)) {
      yield bytes.subarray(from, bytes[at - 1] === 0x0d && at > from ? at - 1 : at);
      from = at + 1;
    }
    held = Buffer.from(bytes.subarray(from));
    if (held.length > maxBytes) {
      throw unreadable('The file has no lines of the expected length. Check what was delivered.');
    }
  }
  if (held.length > 0) yield held;
}
