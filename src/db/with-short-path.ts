import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** The address of a Unix domain socket has 104 bytes on macOS and 108 on Linux; a longer one is silently truncated. */
const limitBytes = 100;

/**
 * Passes `use` a path to the same file that fits into the address of a Unix domain socket. A long path is reached
 * through a link in the temporary directory, removed after `use`. The socket itself stays in place, whatever temporary
 * directory other processes use.
 */
export async function withShortPath<T>(path: string, use: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= limitBytes) return use(path);
  const shelter = await mkdtemp(join(tmpdir(), 'socket-'));
  try {
    const link = join(shelter, 'd');
    await symlink(resolve(dirname(path)), link);
    return await use(join(link, basename(path)));
  } finally {
    await rm(shelter, { recursive: true, force: true });
  }
}
