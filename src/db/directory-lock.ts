import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { OperatorError } from '../errors.js';
import { tryConnect, listSockets, socketDirectory } from './connect-control-socket.js';
import { hasCode } from './sql/has-code.js';
import { withShortPath } from './with-short-path.js';

/** The exclusive right to a data directory. Ends with the process, even if it is killed. */
export interface DirectoryLock {
  /**
   * The control socket that forms the lock, open to the owner's user only. Other processes reach the holder through
   * `connectControlSocket`. Without a 'connection' listener, callers are disconnected.
   */
  readonly controlSocket: Server;
  /** Releases the directory and disconnects all callers. */
  release(): Promise<void>;
}

/**
 * Locks the data directory for this process.
 *
 * The lock is a directory that contains one listening socket. It is created under a private name and renamed when it is
 * listening: renaming onto a directory that is not empty fails, so exactly one of several starters succeeds. A socket
 * without a listener belonged to a dead process; its name is unique, so removing it by name affects no other process.
 * Nothing depends on a clock, a process id or a timeout.
 *
 * @throws OperatorError when a living process holds the directory, or no socket can be created there
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const id = randomBytes(6).toString('hex');
  const lock = join(directory, socketDirectory);
  const candidate = `${lock}.${id}`;
  const controlSocket = createServer();
  const hangUp = hangUpUnserved(controlSocket);
  try {
    await listen(controlSocket, candidate, `${id}.sock`);
    while (!(await moveInto(candidate, lock))) await clearDead(directory, lock);
  } catch (error) {
    hangUp();
    await rm(candidate, { recursive: true, force: true });
    throw error;
  }
  return { controlSocket, release: () => release(lock, `${id}.sock`, hangUp) };
}

async function release(lock: string, name: string, hangUp: () => void): Promise<void> {
  await unlink(join(lock, name)).catch(ignore('ENOENT'));
  // Another process may already have moved in: then the directory is theirs, and not empty.
  await rmdir(lock).catch(ignore('ENOENT', 'ENOTEMPTY', 'EEXIST'));
  hangUp();
}

/**
 * Disconnects callers while the socket has no listener; the returned function closes it and disconnects all of them.
 */
function hangUpUnserved(controlSocket: Server): () => void {
  const callers = new Set<Socket>();
  controlSocket.on('connection', (socket) => {
    callers.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => callers.delete(socket));
    if (controlSocket.listenerCount('connection') === 1) socket.end();
  });
  // The lock must not keep an otherwise idle process alive.
  controlSocket.unref();
  return () => {
    controlSocket.close();
    for (const socket of callers) socket.destroy();
  };
}

/** What cures a directory that cannot hold the data. */
export const writableDirectory = 'Set DATA_DIR to a directory on a local file system that this user may write to.';

async function listen(controlSocket: Server, directory: string, name: string): Promise<void> {
  const path = join(directory, name);
  try {
    await mkdir(directory, { mode: 0o700 });
    await withShortPath(path, async (short) => {
      controlSocket.listen(short);
      await once(controlSocket, 'listening');
    });
    await chmod(path, 0o600);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `The data directory cannot be locked: no socket can be created at ${path} (${why}). ` + writableDirectory,
    );
  }
}

async function moveInto(candidate: string, lock: string): Promise<boolean> {
  try {
    await rename(candidate, lock);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Removes the sockets of dead processes from the lock.
 *
 * @throws OperatorError when a living process answers
 */
async function clearDead(directory: string, lock: string): Promise<void> {
  for (const name of await listSockets(directory)) {
    const path = join(lock, name);
    const socket = await tryConnect(path);
    if (socket === undefined) {
      await unlink(path).catch(ignore('ENOENT'));
      continue;
    }
    socket.destroy();
    throw new OperatorError(
      `The data directory ${directory} is in use by a running server. Stop that server, or give this one a directory ` +
        'of its own in DATA_DIR. Commands of the command line work while the server runs: they go through it.',
    );
  }
}

function ignore(...codes: string[]): (error: unknown) => void {
  return (error) => {
    if (!hasCode(error, ...codes)) throw error;
  };
}
