import { open } from 'node:fs/promises';

const chunkBytes = 64 * 1024;

/** The bytes of a file from `start` on, 64 kB at a time. Closes the file when the reader stops early. */
export async function* readChunks(path: string, start: number): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r');
  try {
    let position = start;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
