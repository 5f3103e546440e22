import { readChunks } from './read-chunks.js';
import { createSliceBuffer } from './slice-buffer.js';

export interface Line {
  /** The line with its line end; undefined when it is larger than the limit. */
  readonly bytes: Buffer | undefined;
  /** Offset of the first byte after the line. */
  readonly end: number;
}

/**
 * The lines of a file from the offset `start` on, each ended by LF. A last line without line end is not yielded: it may
 * be cut off. Memory stays bounded whatever the length of a line.
 */
export async function* readLines(path: string, start: number, limitBytes: number): AsyncGenerator<Line> {
  const held = createSliceBuffer(limitBytes);
  let end = start;
  for await (const chunk of readChunks(path, start)) {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      held.add(chunk.subarray(from, at + 1));
      from = at + 1;
      const { bytes, length } = held.take();
      end += length;
      yield { bytes, end };
    }
    held.add(chunk.subarray(from));
  }
}
