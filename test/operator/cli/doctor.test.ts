import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import type { Looked } from '../../../src/operator/checks/look-at-all.js';
import { runVerb } from '../../../src/operator/cli/run-verb.js';

describe('the verb doctor', () => {
  let looked: readonly Looked[];

  async function run(words: readonly string[]): Promise<{ exitCode: number; out: string }> {
    const out = new PassThrough({ encoding: 'utf8' });
    const now = () => new Date('2026-03-08T12:00:00.000Z');
    const exitCode = await runVerb(words, {
      openOperatorCommands: () => assert.fail('it opens nothing'),
      move: () => assert.fail(),
      migrate: () => assert.fail(),
      readListeningPlace: () => assert.fail(),
      diagnose: async () => ({ version: '1.0.0', at: now(), looked }),
      ...{ out, notes: out, now, confirm: undefined },
    });
    return { exitCode, out: String(out.read()) };
  }

  it('tells what is wrong first, each with its cure, and by its exit code how grave it is', async () => {
    const ok: Looked = { id: 'keys.role', severity: 'refuse', ms: 1, state: 'ok', figures: { gasCap: 7 } };
    const away: Looked = { id: 'chain.pace', severity: 'warn', ms: 1, state: 'skipped', reason: 'no chain' };
    const found = (severity: 'warn' | 'not_ready'): Looked => {
      const finding = { sentence: 'It has no gas.', cure: 'Send it ether.', figures: { left: 0 } };
      return { id: 'relayer.gas', severity, ms: 2, state: 'finding', finding };
    };
    looked = [ok, away];
    assert.equal((await run(['doctor'])).exitCode, 0);
    looked = [ok, away, found('warn')];
    assert.equal((await run(['doctor', '--json'])).exitCode, 1);
    looked = [ok, away, found('not_ready')];
    const { exitCode, out } = await run(['doctor']);
    assert.equal(exitCode, 2);
    assert.deepEqual(out.split('\n'), [
      'not ready  relayer.gas: It has no gas.',
      '  Send it ether.',
      'skipped  chain.pace: no chain',
      'figures  keys.role: gas cap 7',
      'figures  relayer.gas: left 0',
      'ok  keys.role',
      '',
    ]);
    const { at: _, ...said } = JSON.parse((await run(['doctor', '--json'])).out ?? '') as { at: string };
    const nothing = { sentence: null, cure: null, figures: {} };
    assert.deepEqual(said, {
      version: '1.0.0',
      verdict: 'fail',
      checks: [
        { id: 'keys.role', severity: 'refuse', state: 'ok', ...nothing, figures: { gasCap: 7 }, ms: 1 },
        { id: 'chain.pace', severity: 'warn', state: 'skipped', ...nothing, ms: 1, reason: 'no chain' },
        {
          ...{ id: 'relayer.gas', severity: 'not_ready', state: 'finding', sentence: 'It has no gas.' },
          ...{ cure: 'Send it ether.', figures: { left: 0 }, ms: 2 },
        },
      ],
    });
  });
});
