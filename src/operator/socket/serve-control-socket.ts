import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { OperatorError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { OperatorCommands } from './operator-commands.js';
import { questionSchema, type Answer, type Question } from './messages.js';

export interface ServedControlSocket {
  /** Accepts no more questions and waits for those under way. */
  close(): Promise<void>;
}

/** Callers are programs: one that sends nothing for this long has failed. */
const silenceMs = 5_000;

/**
 * Answers operators on the control socket of the data directory. A job continues when its caller disconnects; reading
 * rows stops. Only the user who owns the directory can open the socket, so callers need no credentials.
 */
export function serveControlSocket(
  controlSocket: Server,
  commands: OperatorCommands,
  log: Pick<Log, 'warn'>,
): ServedControlSocket {
  const underWay = new Set<Promise<void>>();
  const onConnection = (socket: Socket): void => {
    const done = serve(socket, commands, log).finally(() => underWay.delete(done));
    underWay.add(done);
  };
  controlSocket.on('connection', onConnection);
  return {
    async close() {
      controlSocket.off('connection', onConnection);
      await Promise.all(underWay);
    },
  };
}

async function serve(socket: Socket, commands: OperatorCommands, log: Pick<Log, 'warn'>): Promise<void> {
  const say = (answer: Answer): boolean => !socket.writable || socket.write(`${JSON.stringify(answer)}\n`);
  const sayRows = async (rows: readonly (readonly string[])[]): Promise<void> => {
    if (!socket.writable) throw new OperatorError('The caller has disconnected.');
    if (!say({ rows: rows.map((row) => [...row]) })) await drained(socket);
  };
  try {
    const question = await readQuestion(socket);
    if (question === undefined) return;
    if (question.verb === 'jobs') say({ jobs: [...(await commands.listJobs())] });
    else if (question.verb === 'ledger') say({ notes: [...(await commands.askLedger(question.question, sayRows))] });
    else if (question.verb === 'sources') {
      await sayRows(await commands.listSources());
      say({ notes: [] });
    } else if (question.verb === 'rejects') {
      await sayRows(await commands.listRejects(question.question));
      say({ notes: [] });
    } else if (question.verb === 'order')
      say({ figures: await commands.runOrder(question.order, (progress) => void say({ progress }), question.waits) });
    else say({ figures: await commands.runJob(question.job, (progress) => void say({ progress }), question.waits) });
  } catch (error) {
    if (!(error instanceof OperatorError)) log.warn({ err: error }, 'operator command failed');
    say({ problem: error instanceof Error ? error.message : String(error) });
  } finally {
    socket.end();
  }
}

/** Resolves when the caller has read the data or disconnected. */
async function drained(socket: Socket): Promise<void> {
  const left = new AbortController();
  const onLeave = (): void => left.abort();
  socket.once('close', onLeave);
  await once(socket, 'drain', { signal: left.signal }).catch(() => undefined);
  socket.off('close', onLeave);
}

/** Undefined when the caller only connects, as a starting server does to check that this one is alive. */
async function readQuestion(socket: Socket): Promise<Question | undefined> {
  socket.setTimeout(silenceMs, () => socket.destroy());
  const lines = createInterface({ input: socket });
  socket.once('close', () => lines.close());
  try {
    for await (const line of lines) {
      socket.setTimeout(0);
      const question = questionSchema.safeParse(parseJson(line));
      if (question.success) return question.data;
      throw new OperatorError(
        'The server does not know this verb. Use the command line of the same version as the server.',
      );
    }
    return undefined;
  } finally {
    // Closing the reader pauses the socket; it must flow to notice a disconnect.
    lines.close();
    socket.resume();
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
