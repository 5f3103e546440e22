import { fork } from 'node:child_process';
import { once } from 'node:events';
import { findProjectFile } from '../../src/project-file.js';
import type { FaultCounts } from './faults.js';
import type { Outcome } from './run-many.js';

/** A part's message to the process that started it. */
export interface Told {
  readonly failures: Outcome['failures'];
  readonly counts: readonly (readonly [string, number])[];
}

/**
 * Runs histories in several processes, each with a share of them, and sums up the results. The parts end with their
 * parent.
 * @param options.args words of the command `simulate` for each part
 * @param options.file names the files to resume from, each with the number of its share
 * @throws Error when a part ends before its work is done
 */
export async function divide(options: {
  readonly processes: number;
  readonly args: readonly string[];
  readonly file?: string | undefined;
  readonly isQuiet?: boolean;
}): Promise<Outcome> {
  const { processes, args, file, isQuiet = false } = options;
  const told = Array.from({ length: processes }, async (_, index) => {
    const number = index + 1;
    const resume = file === undefined ? [] : ['--resume', `${file}.${number}`];
    const words = [...args, '--part', '--shard', `${number}/${processes}`, ...resume];
    const output = isQuiet ? 'ignore' : 'inherit';
    const part = fork(program, words, { execArgv: [], stdio: ['ignore', output, 'inherit', 'ipc'] });
    const ended = once(part, 'exit').then(([code]) => {
      throw new Error(`Share ${number} has ended with ${String(code)}; with --resume it goes on where it was`);
    });
    const [message] = await Promise.race([once(part, 'message') as Promise<[Told]>, ended]);
    return message;
  });
  const counts: FaultCounts = new Map();
  const all = await Promise.all(told);
  for (const each of all) for (const [kind, count] of each.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return { failures: all.flatMap(({ failures }) => failures), counts };
}

const program = findProjectFile('dist/test/simulation/simulate.js');
