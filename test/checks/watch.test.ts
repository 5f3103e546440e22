import assert from 'node:assert/strict';
import { judgeConfig } from '../../src/config/config.js';
import type { Check, CheckPorts, Finding } from '../../src/operator/checks/check.js';
import { checks } from '../../src/operator/checks/checks.js';
import { openCheckPorts } from '../../src/operator/checks/open-check-ports.js';
import { createWatch } from '../../src/operator/checks/watch.js';
import { createSettlementProblems, problemIds } from '../../src/payments/settlement/settlement-problems.js';
import { createFakeClock } from '../support/fake-clock.js';
import { production } from '../support/read-settings.js';
import { payTo } from './look.js';

type Found = Finding | 'cannot look' | undefined;

describe('the watch of a running service', () => {
  const told: string[] = [];
  const log = {
    info: (about: object, text: string) => void told.push(`${JSON.stringify(about)} ${text}`),
    warn: (about: object, text: string) => void told.push(`${JSON.stringify(about)} ${text}`),
  } as never;
  beforeEach(() => told.splice(0));

  /** A watch with one check, which finds one thing after the other. */
  function watchOver(id: Check['id'], findings: Found[], changes: Partial<Check> = {}) {
    const clock = createFakeClock();
    const problems = createSettlementProblems(clock.elapsedMs);
    const check: Check = {
      ...(checks.find((each) => each.id === id) ?? assert.fail()),
      look() {
        const found = findings.length > 1 ? findings.shift() : findings[0];
        if (found === 'cannot look') throw new Error('no answer');
        looks += 1;
        return found;
      },
      ...changes,
    };
    let looks = 0;
    const { close, ...ports } = openCheckPorts(judgeConfig({ ...production, PAY_TO: payTo }, { onTerminal: true }), {
      now: () => new Date(),
    });
    void close();
    const watch = createWatch(ports satisfies CheckPorts, problems, { log, pause: clock.pause, checks: [check] });
    return { ...watch, clock, count: () => looks, why: () => problems.current()?.why };
  }
  const doubt = { sentence: 'It is silent.', isDoubt: true } as const;

  it('looks again at once at what may be a bad moment, believes the second, and the first good look', async () => {
    const watch = watchOver('chain.reach', [doubt, undefined, doubt, doubt, undefined]);
    await watch.look();
    assert.deepEqual([watch.why(), watch.count()], [undefined, 2]);
    await watch.look();
    assert.deepEqual([watch.why(), watch.count()], ['The node of this service does not answer.', 4]);
    await watch.look();
    assert.deepEqual([watch.why(), watch.count()], [undefined, 5]);
  });

  it('believes a definite answer at once, and learns nothing where it cannot look', async () => {
    const watch = watchOver('relayer.gas', [{ sentence: 'Empty.' }, 'cannot look', undefined]);
    const why = 'The account that pays for settlements has run out of gas money.';
    await watch.look();
    assert.equal(watch.why(), why);
    await watch.look();
    assert.equal(watch.why(), why);
    await watch.look();
    assert.equal(watch.why(), undefined);
  });

  it('logs what has changed, with its cure, and sells on what is only a warning', async () => {
    const low: Finding = { sentence: 'Few are left.', severity: 'warn', figures: { settlementsLeft: 3 } };
    const watch = watchOver('relayer.gas', [low, { ...low, sentence: 'Fewer.' }, { sentence: 'None.' }, undefined]);
    for (const _ of [1, 2]) await watch.look();
    assert.equal(watch.why(), undefined);
    for (const _ of [1, 2, 3]) await watch.look();
    const cure = checks.find(({ id }) => id === 'relayer.gas')?.cure;
    assert.deepEqual(told, [
      `{"check":"relayer.gas","settlementsLeft":3} Few are left. ${cure}`,
      `{"check":"relayer.gas"} None. ${cure}`,
      '{"check":"relayer.gas"} all is well again',
    ]);
  });

  it('looks each five seconds, at what rarely changes each minute, and while that is wrong each five seconds', async () => {
    const often = watchOver('chain.head', [undefined]);
    const rare = watchOver('chain.token', [undefined, { sentence: 'Paused.' }]);
    for (const watch of [often, rare]) await watch.start();
    const passed: number[][] = [];
    for (let seconds = 5; seconds <= 65; seconds += 5) {
      await often.clock.pass(5_000);
      await rare.clock.pass(5_000);
      passed.push([often.count(), rare.count()]);
    }
    assert.deepEqual(passed.slice(10), [
      [12, 1],
      [13, 2],
      [14, 3],
    ]);
    for (const watch of [often, rare]) watch.close();
  });

  it('tells nothing more once it is closed', async () => {
    let answer = (_?: Finding): void => undefined;
    const late = new Promise<Finding | undefined>((resolve) => (answer = resolve));
    const watch = watchOver('relayer.gas', [], { look: () => late });
    const looked = watch.look();
    watch.close();
    answer({ sentence: 'Empty.' });
    await looked;
    assert.deepEqual([watch.why(), told], [undefined, []]);
  });

  it('names all that is wrong by the ids of its checks, with their cures and nothing of this machine', async () => {
    const finding: Finding = { sentence: 'At secret.example.', cure: 'Go to secret.example.', why: 'It is away.' };
    const watch = watchOver('chain.token', [finding]);
    await watch.look();
    const cure = checks.find(({ id }) => id === 'chain.token')?.cure;
    assert.deepEqual(watch.list(), [{ id: 'chain.token', why: 'It is away.', cure }]);
  });

  it('knows every check that can keep a running service from selling, and no other', () => {
    const grave = checks.filter(
      ({ at, severity }) => severity !== 'warn' && (at.includes('live') || at.includes('told')),
    );
    assert.deepEqual(grave.map(({ id }) => id).sort(), [...problemIds, 'data.feed'].sort());
  });

  it('has words for buyers for each check that can end the selling, and cures that name no place', () => {
    for (const { id, at, severity, why, cure, finds } of checks) {
      if (at.includes('live') && severity !== 'warn') assert.match(why ?? '', /^[A-Z].*\.$/, id);
      assert.doesNotMatch(`${why} ${cure} ${finds}`, /0x|:\/\//, id);
      assert.ok(cure !== '' && finds !== '', id);
    }
  });
});
