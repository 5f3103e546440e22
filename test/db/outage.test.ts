import assert from 'node:assert/strict';
import { NotYet, openAtLast } from '../../src/db/outage.js';

describe('a service whose database is away at its start', () => {
  let warnings: number;
  let pauses: number[];
  let listening: boolean;
  beforeEach(() => {
    warnings = 0;
    pauses = [];
    listening = false;
  });

  /** Opens with one error after the other, then well. */
  function open(errors: readonly Error[]): Promise<string> {
    const left = [...errors];
    const ports = {
      random: () => 0.5,
      log: { warn: () => void (warnings += 1) },
      whenAway: async () => void (listening = true),
      pause: async (ms: number) => void pauses.push(ms),
    };
    return openAtLast(async () => {
      const error = left.shift();
      if (error !== undefined) throw error;
      return 'open';
    }, ports);
  }
  const fault = (code: string) => Object.assign(new Error(code), { code });

  it('tries again each second, however it is away, and says so each half minute', async () => {
    const codes = ['ECONNREFUSED', 'ENOTFOUND', '57P03', '53300', '53100', '25006', '08006'];
    const others = [new Error('timeout expired'), new Error('Cannot connect', { cause: fault('ECONNREFUSED') })];
    assert.equal(await open([...codes.map(fault), ...others]), 'open');
    assert.ok(listening, 'whoever asks meanwhile hears that it starts');
    assert.deepEqual([warnings, pauses], [1, Array.from({ length: 9 }, () => 1_000)]);
    warnings = 0;
    await open(Array.from({ length: 61 }, () => fault('ECONNREFUSED')));
    assert.equal(warnings, 3);
  });

  it('tries again each one to five seconds where a lock is waited for, and says so each second time', async () => {
    const locked = Array.from({ length: 4 }, () => new NotYet('Session 7 holds a lock.', 'locked'));
    assert.equal(await open(locked), 'open');
    assert.ok(listening);
    assert.deepEqual([warnings, pauses], [2, Array.from({ length: 4 }, () => 3_000)]);
  });

  it('opens without listening early where it is there, and ends at once where it refuses', async () => {
    assert.equal(await open([]), 'open');
    for (const code of ['28P01', '3D000', '42501']) await assert.rejects(open([fault(code)]), { code });
    assert.deepEqual([warnings, listening], [0, false]);
  });

  it('listens while a database hangs that was reached, and opens when it answers', async () => {
    let answer = (_: string): void => undefined;
    const opening = new Promise<string>((resolve) => (answer = resolve));
    const log = { warn: () => assert.fail('nothing has failed') };
    assert.equal(await openAtLast(() => opening, { log, hungMs: 0, whenAway: async () => answer('open') }), 'open');
  });

  it('does not listen early where only the rest takes long', async () => {
    const early = async () => assert.fail('others can do its work');
    const open = async (onReached: () => void) => {
      onReached();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 'open';
    };
    const log = { warn: () => assert.fail('nothing has failed') };
    assert.equal(await openAtLast(open, { log, hungMs: 1, whenAway: early }), 'open');
  });
});
