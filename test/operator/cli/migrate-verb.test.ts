import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { runVerb } from '../../../src/operator/cli/run-verb.js';

describe('the verb migrate', () => {
  async function run(due: readonly { readonly name: string; readonly does: string }[], ...options: readonly string[]) {
    const out = new PassThrough({ encoding: 'utf8' });
    const looked: boolean[] = [];
    const exitCode = await runVerb(['migrate', ...options], {
      openOperatorCommands: () => assert.fail('it opens nothing'),
      diagnose: () => assert.fail(),
      move: () => assert.fail(),
      async migrate(onlyLooks) {
        looked.push(onlyLooks);
        return due;
      },
      readListeningPlace: () => assert.fail(),
      ...{ out, notes: out, now: () => new Date(), confirm: undefined },
    });
    return [looked[0], exitCode, String(out.read())];
  }
  const due = [{ name: '002-more', does: 'adds a table' }];

  it('only looks where it is asked to, and ends with 1 where something is due', async () => {
    assert.deepEqual(await run(due, '--check'), [true, 1, 'Due: 002-more, which adds a table.\n']);
    assert.deepEqual(await run([], '--check'), [true, 0, 'The schema is up to date.\n']);
  });

  it('says what it has done', async () => {
    assert.deepEqual(await run(due), [false, 0, 'Done: 002-more, which adds a table.\n']);
    assert.deepEqual(await run([]), [false, 0, 'The schema is up to date.\n']);
  });
});
