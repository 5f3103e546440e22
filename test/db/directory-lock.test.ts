import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectControlSocket } from '../../src/db/connect-control-socket.js';
import { lockDirectory, type DirectoryLock } from '../../src/db/directory-lock.js';
import { findProjectFile } from '../../src/project-file.js';

describe('lockDirectory', () => {
  let directory: string;
  let held: DirectoryLock[];
  let children: ChildProcess[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lock-'));
    held = [];
    children = [];
  });
  afterEach(async () => {
    for (const lock of held) await lock.release();
    for (const child of children) child.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  });

  async function lock(path = directory): Promise<DirectoryLock> {
    const taken = await lockDirectory(path);
    held.push(taken);
    return taken;
  }

  /** Starts a child that is about to lock the directory; `go` lets it try and returns its result. */
  async function startChild(): Promise<{ child: ChildProcess; go: () => Promise<string> }> {
    const script = findProjectFile('dist/test/db/lock-child.js');
    const child = spawn(process.execPath, [script, directory], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    assert.equal((await lines.next()).value, 'ready');
    const go = async (): Promise<string> => {
      child.stdin.write('go\n');
      return String((await lines.next()).value);
    };
    return { child, go };
  }

  async function kill(child: ChildProcess): Promise<void> {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  it('refuses a directory that is locked, and says what to do', async () => {
    await lock();
    await assert.rejects(lock(), {
      name: 'OperatorError',
      message: /in use by a running server.*DATA_DIR.*go through it/,
    });
  });

  it('frees the lock on release, and leaves nothing behind', async () => {
    const first = await lock();
    await first.release();
    assert.deepEqual(await readdir(directory), []);
    await lock();
  });

  it('refuses while another process holds it, and takes over after that process was killed', async () => {
    const { child, go } = await startChild();
    assert.equal(await go(), 'locked');
    await assert.rejects(lock(), /in use by a running server/);
    await kill(child);
    const mine = await lock();
    assert.equal(mine.controlSocket.listening, true);
    assert.equal((await readdir(join(directory, 'lock'))).length, 1);
  });

  it('lets exactly one of several starters take over from a process that was killed', async () => {
    const dead = await startChild();
    assert.equal(await dead.go(), 'locked');
    const starters = await Promise.all([startChild(), startChild(), startChild()]);
    await kill(dead.child);
    const verdicts = await Promise.all(starters.map(({ go }) => go()));
    assert.equal(verdicts.filter((verdict) => verdict === 'locked').length, 1, verdicts.join('; '));
    assert.equal(verdicts.filter((verdict) => verdict.startsWith('refused The data directory')).length, 2);
  });

  it('admits exactly one of many starters within one process, whichever process died before', async () => {
    for (let round = 0; round < 20; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
      const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      assert.equal(winners.length, 1);
      // Dies without a release, so the socket's name stays.
      for (const winner of winners) winner.controlSocket.close();
    }
  });

  it('works in a directory whose path is too long for a socket', async () => {
    const deep = join(directory, 'x'.repeat(120));
    await mkdir(deep);
    const first = await lock(deep);
    const caller = await connectControlSocket(deep);
    assert.ok(caller);
    caller.destroy();
    await assert.rejects(lock(deep), /in use by a running server/);
    await first.release();
    assert.deepEqual(await readdir(deep), []);
    await lock(deep);
  });

  it('creates a socket for its owner only', async () => {
    await lock();
    const [name = ''] = await readdir(join(directory, 'lock'));
    const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
    assert.equal(await mode(join(directory, 'lock', name)), 0o600);
    assert.equal(await mode(join(directory, 'lock')), 0o700);
  });

  it('disconnects callers while the socket is not served', async () => {
    await lock();
    const caller = await connectControlSocket(directory);
    assert.ok(caller);
    await once(caller.resume(), 'close');
  });

  it('lets its holder answer through the socket', async () => {
    const { controlSocket } = await lock();
    controlSocket.on('connection', (socket) => socket.end('hello'));
    const caller = await connectControlSocket(directory);
    assert.ok(caller);
    assert.equal(String((await once(caller, 'data'))[0]), 'hello');
  });

  it('has no socket when nobody holds the directory, or the holder was killed', async () => {
    assert.equal(await connectControlSocket(directory), undefined);
    const { child, go } = await startChild();
    assert.equal(await go(), 'locked');
    await kill(child);
    assert.equal(await connectControlSocket(directory), undefined);
  });

  it('touches no foreign file in the lock', async () => {
    await mkdir(join(directory, 'lock'));
    await writeFile(join(directory, 'lock', 'notes.txt'), 'mine');
    await assert.rejects(lock(), { name: 'OperatorError', message: /notes\.txt does not belong.*Move it elsewhere/ });
    assert.deepEqual(await readdir(directory), ['lock']);
  });

  it('fails with a reason when the directory cannot hold a socket', async () => {
    await assert.rejects(lock(join(directory, 'missing')), {
      name: 'OperatorError',
      message: /cannot be locked.*DATA_DIR/,
    });
  });

  it('fails with a reason when the process behind the socket is unreachable', async function () {
    if (process.getuid?.() === 0) this.skip(); // root may reach everything
    await lock();
    const [name = ''] = await readdir(join(directory, 'lock'));
    await chmod(join(directory, 'lock', name), 0);
    await assert.rejects(connectControlSocket(directory), {
      name: 'OperatorError',
      message: /cannot be reached.*as its user/,
    });
  });
});
