import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { OperatorError } from '../errors.js';
import { hasCode } from './sql/has-code.js';
import { withShortPath } from './with-short-path.js';

/** The directory inside the data directory that contains only the socket of the process that owns it. */
export const socketDirectory = 'lock';

/**
 * Connects to the process that holds the data directory; undefined when no process does.
 *
 * @throws OperatorError when a process holds it but cannot be reached, for example because it runs as another user
 */
export async function connectControlSocket(directory: string): Promise<Socket | undefined> {
  for (const name of await listSockets(directory)) {
    const socket = await tryConnect(join(directory, socketDirectory, name));
    if (socket !== undefined) return socket;
  }
  return undefined;
}

/**
 * The names in the lock: one socket or none, or briefly also that of a dead process.
 *
 * @throws OperatorError when the lock contains anything else
 */
export async function listSockets(directory: string): Promise<string[]> {
  const lock = join(directory, socketDirectory);
  const names = await readdir(lock).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  const foreign = names.find((name) => !/^[0-9a-f]{12}\.sock$/.test(name));
  if (foreign === undefined) return names;
  throw new OperatorError(`${join(lock, foreign)} does not belong in a data directory's lock. Move it elsewhere.`);
}

/** Connects to a socket; undefined when its process is gone. */
export async function tryConnect(path: string): Promise<Socket | undefined> {
  return withShortPath(path, async (short) => {
    const socket = connect(short);
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      socket.destroy();
      if (hasCode(error, 'ECONNREFUSED', 'ENOENT')) return undefined;
      const why = error instanceof Error ? error.message : String(error);
      throw new OperatorError(`A server holds this data directory but cannot be reached (${why}). Run as its user.`);
    }
  });
}
