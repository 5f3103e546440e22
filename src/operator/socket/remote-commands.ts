import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { OperatorError } from '../../errors.js';
import type { OperatorCommands, Figures } from './operator-commands.js';
import { answerSchema, type Answer, type Question } from './messages.js';

/** The commands of the server behind a socket from `connectControlSocket`. Each socket takes one question. */
export function createRemoteCommands(socket: Socket): OperatorCommands {
  return {
    async listJobs() {
      const answer = await ask(socket, { verb: 'jobs' });
      if ('jobs' in answer) return answer.jobs;
      throw notUnderstood();
    },
    async runJob(job, onProgress) {
      const answer = await ask(socket, { verb: 'run', job }, { onProgress });
      if ('figures' in answer) return answer.figures;
      throw notUnderstood();
    },
    async runOrder(order, onProgress) {
      const answer = await ask(socket, { verb: 'order', order }, { onProgress });
      if ('figures' in answer) return answer.figures;
      throw notUnderstood();
    },
    async listSources() {
      const rows: (readonly string[])[] = [];
      const answer = await ask(socket, { verb: 'sources' }, { onRows: (some) => void rows.push(...some) });
      if ('notes' in answer) return rows;
      throw notUnderstood();
    },
    async askLedger(question, onRows) {
      const answer = await ask(socket, { verb: 'ledger', question }, { onRows });
      if ('notes' in answer) return answer.notes;
      throw notUnderstood();
    },
  };
}

interface Listeners {
  readonly onProgress?: (figures: Figures) => void;
  readonly onRows?: Parameters<OperatorCommands['askLedger']>[1];
}

async function ask(socket: Socket, question: Question, { onProgress, onRows }: Listeners = {}): Promise<Answer> {
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
    else return answer;
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
