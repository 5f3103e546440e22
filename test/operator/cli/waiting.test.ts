import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { OperatorError } from '../../../src/errors.js';
import { runVerb } from '../../../src/operator/cli/run-verb.js';
import { createScriptedCommands } from '../socket/scripted-commands.js';

describe('a verb that a running job prevents', () => {
  async function run(...words: readonly string[]) {
    const [out, notes] = [new PassThrough({ encoding: 'utf8' }), new PassThrough({ encoding: 'utf8' })];
    const exitCode = await runVerb(words, {
      openOperatorCommands: async () => ({ commands: createScriptedCommands(), close: async () => {} }),
      ...{ diagnose: () => assert.fail(), move: () => assert.fail(), migrate: () => assert.fail() },
      readListeningPlace: () => assert.fail(),
      ...{ out, notes, now: () => new Date(0), confirm: undefined },
    });
    return [exitCode, String(out.read()), String(notes.read())];
  }

  it('waits for it, with one line that says for which', async () => {
    assert.deepEqual(await run('run', 'auctions'), [
      0,
      'auctions done in 0.0 s: version 2\n',
      'Waiting for the job listings to end; --no-wait refuses instead.\n',
    ]);
  });

  it('is refused with --no-wait, which no other verb takes', async () => {
    for (const [words, says] of [
      [['run', 'auctions', '--no-wait'], 'The job auctions cannot run now.'],
      [['jobs', '--no-wait'], 'Invalid command: jobs --no-wait'],
    ] as const)
      await assert.rejects(run(...words), (error) => error instanceof OperatorError && error.message.startsWith(says));
  });
});
