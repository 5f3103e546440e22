import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { connectControlSocket } from '../../../src/db/connect-control-socket.js';
import { lockDirectory, type DirectoryLock } from '../../../src/db/directory-lock.js';
import { createRemoteCommands } from '../../../src/operator/socket/remote-commands.js';
import type { OperatorCommands, Figures } from '../../../src/operator/socket/operator-commands.js';
import { serveControlSocket, type ServedControlSocket } from '../../../src/operator/socket/serve-control-socket.js';
import { OperatorError } from '../../../src/errors.js';
import { createScriptedCommands, jobLines } from './scripted-commands.js';

const log = pino({ level: 'silent' });

describe('the control socket of a data directory', () => {
  let directory: string;
  let lock: DirectoryLock;
  let served: ServedControlSocket | undefined;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'socket-'));
    lock = await lockDirectory(directory);
    served = undefined;
  });
  afterEach(async () => {
    await served?.close();
    await lock.release();
    await rm(directory, { recursive: true });
  });

  function serve(commands: OperatorCommands): void {
    served = serveControlSocket(lock.controlSocket, commands, log);
  }

  async function connect(): Promise<Socket> {
    const socket = await connectControlSocket(directory);
    assert.ok(socket);
    return socket;
  }

  it('lists the jobs as the server does', async () => {
    serve(createScriptedCommands());
    assert.deepEqual(await createRemoteCommands(await connect()).listJobs(), jobLines);
  });

  it('tells the progress of a job while it runs, then its figures', async () => {
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    serve(createScriptedCommands(() => finished));
    const progress: Figures[] = [];
    const figures = await createRemoteCommands(await connect()).runJob('listings', (each) => {
      progress.push(each);
      // The job ends only after its caller has seen the second report.
      if (progress.length === 2) finish();
    });
    assert.deepEqual(progress, [{ rows: 100 }, { rows: 200 }]);
    assert.deepEqual(figures, { rows: 250, problems: '' });
  });

  it('passes on whether a job waits for one that prevents it', async () => {
    serve(createScriptedCommands());
    const progress: Figures[] = [];
    const runAuctions = async (waits: boolean) =>
      createRemoteCommands(await connect()).runJob('auctions', (each) => progress.push(each), waits);
    await assert.rejects(runAuctions(false), /cannot run now/);
    assert.deepEqual(await runAuctions(true), { version: 2 });
    assert.deepEqual(progress[0], { waitsFor: 'listings' });
  });

  it('passes on what the server refuses, as a sentence for the operator', async () => {
    serve(createScriptedCommands());
    const commands = createRemoteCommands(await connect());
    await assert.rejects(
      commands.runJob('nothing', () => {}),
      new OperatorError('There is no job nothing.'),
    );
  });

  it('passes the rows of an answer on as they come, then what is said beside them', async () => {
    serve(createScriptedCommands());
    const rows: (readonly string[])[] = [];
    const notes = await createRemoteCommands(await connect()).askLedger(
      { about: 'report', by: 'day', from: '2026-03-07' },
      (some) => void rows.push(...some),
    );
    assert.deepEqual(rows, [
      ['day', 'usd'],
      ['2026-03-07', '0.05'],
      ['2026-03-08', '12.00'],
    ]);
    assert.deepEqual(notes, ['The ledger equals the chain.']);
  });

  it('answers several operators at once', async () => {
    serve(createScriptedCommands());
    const servers = await Promise.all([1, 2, 3].map(async () => createRemoteCommands(await connect())));
    const answers = await Promise.all(servers.map((commands) => commands.runJob('listings', () => {})));
    assert.deepEqual(
      answers.map(({ rows }) => rows),
      [250, 250, 250],
    );
  });

  it('lets a job go on when its caller hangs up, and waits for it at the end', async () => {
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let ended = false;
    serve(createScriptedCommands(() => finished.then(() => void (ended = true))));
    const socket = await connect();
    const asking = createRemoteCommands(socket).runJob('listings', ({ rows }) => {
      if (rows === 200) socket.destroy();
    });
    await assert.rejects(asking, /disconnected without an answer/);
    const closing = served?.close();
    assert.equal(ended, false);
    finish();
    await closing;
    assert.equal(ended, true);
  });

  it('says that the server is starting while nobody serves the socket', async () => {
    await assert.rejects(createRemoteCommands(await connect()).listJobs(), /starting or stopping/);
  });

  it('takes no more questions once it is closed', async () => {
    serve(createScriptedCommands());
    await served?.close();
    await assert.rejects(createRemoteCommands(await connect()).listJobs(), /starting or stopping/);
  });

  it('is not disturbed by callers who only connect', async () => {
    serve(createScriptedCommands());
    (await connect()).destroy();
    await assert.rejects(lockDirectory(directory), /in use by a running server/);
    assert.deepEqual(await createRemoteCommands(await connect()).listJobs(), jobLines);
  });

  for (const [what, line] of [
    ['that is not JSON', 'jobs'],
    ['with an unknown verb', '{"verb":"drop"}'],
    ['without its job', '{"verb":"run"}'],
    ['about a payment that is not hexadecimal', `{"verb":"ledger","question":{"about":"payments","hex":"0x' OR 1=1"}}`],
  ] as const) {
    it(`refuses a question ${what}`, async () => {
      serve(createScriptedCommands());
      const socket = await connect();
      socket.end(`${line}\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), /^\{"problem":"The server does not know this verb\./);
    });
  }

  it('does not take the answer of another version for its own', async () => {
    lock.controlSocket.on('connection', (socket) => void socket.end('{"figures":[1]}\n'));
    await assert.rejects(createRemoteCommands(await connect()).listJobs(), /server sent an unknown answer/);
  });
});
