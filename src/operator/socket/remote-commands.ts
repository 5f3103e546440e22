import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { OperatorError } from '../../errors.js';
import type { OperatorCommands, Figures } from './operator-commands.js';
import { answerSchema, type Answer, type Question } from './messages.js';

/** The commands of the server behind a socket from `connectControlSocket`. Each socket takes one question. */
export function createRemoteCommands(socket: Socket): OperatorCommands {
  return {
    listJobs: async () => (await ask(socket, { verb: 'jobs' }, 'jobs')).jobs,
    runJob: async (job, onProgress, waits) =>
      (await ask(socket, { verb: 'run', job, waits }, 'figures', { onProgress })).figures,
    runOrder: async (order, onProgress, waits) =>
      (await ask(socket, { verb: 'order', order, waits }, 'figures', { onProgress })).figures,
    listSources: () => askRows(socket, { verb: 'sources' }),
    listRejects: (rejects) => askRows(socket, { verb: 'rejects', question: rejects }),
    askLedger: async (question, onRows) => (await ask(socket, { verb: 'ledger', question }, 'notes', { onRows })).notes,
  };
}

async function askRows(socket: Socket, question: Question): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  await ask(socket, question, 'notes', { onRows: (some) => void rows.push(...some) });
  return rows;
}

interface Listeners {
  readonly onProgress?: (figures: Figures) => void;
  readonly onRows?: Parameters<OperatorCommands['askLedger']>[1];
}

/** Resolves to the last answer, which has the wanted member. */
async function ask<Key extends 'jobs' | 'figures' | 'notes'>(
  socket: Socket,
  question: Question,
  wanted: Key,
  { onProgress, onRows }: Listeners = {},
): Promise<Extract<Answer, Readonly<Record<Key, unknown>>>> {
  const lines = createInterface({ input: socket });
  // A lost connection ends the lines like a normal end; the missing answer is reported below.
  socket.on('error', () => {});
  socket.once('close', () => lines.close());
  socket.write(`${JSON.stringify(question)}\n`);
  for await (const line of lines) {
    const answer = readAnswer(line);
    if ('progress' in answer) onProgress?.(answer.progress);
    else if ('rows' in answer) await onRows?.(answer.rows);
    else if ('problem' in answer) throw new OperatorError(answer.problem);
    else if (wanted in answer) return answer as Extract<Answer, Readonly<Record<Key, unknown>>>;
    else throw notUnderstood();
  }
  throw new OperatorError(
    'The server disconnected without an answer: it is starting or stopping. Try again in a moment.',
  );
}

function readAnswer(line: string): Answer {
  try {
    return answerSchema.parse(JSON.parse(line));
  } catch {
    throw notUnderstood();
  }
}

function notUnderstood(): OperatorError {
  return new OperatorError(
    'The server sent an unknown answer. Use the command line of the same version as the server.',
  );
}
