import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** The address of a unix domain socket holds 104 bytes on macOS and 108 on Linux; a longer one is cut off silently. */
const limitBytes = 100;

/**
 * Gives `use` a path to the same file that fits into the address of a unix domain socket. A long path is reached
 * through a link in the temporary directory that lives only as long as `use` runs: the socket itself stays where it
 * belongs, whatever the temporary directory of another process is.
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
