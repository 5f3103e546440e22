import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { OperatorError } from '../errors.js';
import { tryConnect, listSockets, lockName } from './connect-control-socket.js';
import { hasCode } from './sql/has-code.js';
import { withShortPath } from './sql/with-short-path.js';

/** The exclusive right to a data directory. It ends with the process, also when the process is killed. */
export interface DirectoryLock {
  /**
   * The control socket that the lock consists of, for the owner's user only. Whoever finds the directory locked can
   * talk to the process that holds it, by `connectControlSocket`. While nobody listens for 'connection', callers are
   * hung up on.
   */
  readonly controlSocket: Server;
  /** Gives the directory back and hangs up on everyone. */
  release(): Promise<void>;
}

/**
 * Takes the data directory for this process, or refuses with a sentence when a living process holds it.
 *
 * The lock is a directory with one listening socket in it. It is made under a private name and renamed into place when
 * it listens already: a rename onto a directory that is not empty fails, so exactly one of several starters gets
 * through. A socket that nobody listens to belonged to a process that died; its name is unique, so removing it by name
 * never removes anyone else's. Nothing here depends on a clock, a process id or a time-out.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const id = randomBytes(6).toString('hex');
  const lock = join(directory, lockName);
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
  // The next one may have moved in already: then the directory is theirs, and not empty.
  await rmdir(lock).catch(ignore('ENOENT', 'ENOTEMPTY', 'EEXIST'));
  hangUp();
}

/** Hangs up on callers while nobody serves the socket; the function it returns hangs up on all of them for good. */
function hangUpUnserved(controlSocket: Server): () => void {
  const callers = new Set<Socket>();
  controlSocket.on('connection', (socket) => {
    callers.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => callers.delete(socket));
    if (controlSocket.listenerCount('connection') === 1) socket.end();
  });
  // The lock must not keep a process alive that has nothing else to do.
  controlSocket.unref();
  return () => {
    controlSocket.close();
    for (const socket of callers) socket.destroy();
  };
}

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
      `The data directory cannot be locked: no socket can be made at ${path} (${why}). ` +
        'Give DATA_DIR a directory on a local file system that this user may write to.',
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

/** Removes the sockets of dead processes from the lock; refuses when one of them answers. */
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
        'of its own in DATA_DIR. The command line verbs work while the server runs: they go through it.',
    );
  }
}

function ignore(...codes: string[]): (error: unknown) => void {
  return (error) => {
    if (!hasCode(error, ...codes)) throw error;
  };
}
