import assert from 'node:assert/strict';
import { priced, problem } from '../mock-server.js';
import { free, run } from './run.js';

describe('the command, where nothing matches', () => {
  const counted = (atLeast: number, atMost: number) => free({ matches: { at_least: atLeast, at_most: atMost } });
  const asked = ['--zip', '43609', '--max-price', '150000', '--min-dscr', '1.5', '--sort', 'price'];

  it('counts again without each filter, and names the one whose removal gives most', async () => {
    const script = [counted(0, 0), counted(1, 4), counted(37, 37), counted(5, 9)];
    const { code, error, paths, presented } = await run(script, ['deals', ...asked, '--count'], { isThere: true });
    assert.deepEqual([code, presented], [0, 0]);
    assert.equal(
      error,
      'Free: nothing was paid.\nWithout min_dscr=1.5 37 records match, more than without any other filter.\n',
    );
    assert.deepEqual(paths.slice(1), [
      '/api/count?min_dscr=1.5&of=deals&zip=43609',
      '/api/count?max_price=150000&of=deals&zip=43609',
      '/api/count?max_price=150000&min_dscr=1.5&of=deals',
    ]);
  });

  it('does so after a call that found nothing, at the head of what is free', async () => {
    const nothing = problem(404, 'no_records_match', {
      detail: 'No deal matches. Nothing was billed.',
      billed: false,
    });
    const script = [priced(), nothing, counted(0, 0), counted(100, 109)];
    const words = ['deals', '--state', 'OH', '--near', '43609', '--radius', '5'];
    const { code, error, paths } = await run(script, words, { isThere: true });
    assert.equal(code, 1);
    assert.match(
      error,
      /^No deal matches\. Nothing was billed\.\n {2}Free: Without state=OH 100 to 109 records match, more than without any other filter: \/api\/count\?of=deals&near=43609&radius=5\n {2}Reason: no_records_match\n/m,
    );
    assert.deepEqual(paths.slice(2), ['/api/count?of=deals&state=OH', '/api/count?of=deals&near=43609&radius=5']);
  });

  it('says so where no filter alone leaves nothing, and asks eight times at most', async () => {
    const options = ['zip=43609', 'min-units=2', 'max-units=4', 'min-price=1', 'max-price=2', 'min-cap=8'];
    const more = ['min-score=60', 'status=Hot', 'min-dscr=1', 'city=Toledo'];
    const words = ['basic-deals', ...[...options, ...more].map((option) => `--${option}`), '--count'];
    const { error, paths } = await run([counted(0, 0)], words, { isThere: true });
    assert.equal(error, 'Free: nothing was paid.\nNothing matches without any one filter either.\n');
    assert.equal(paths.length, 1 + 8);
  });

  it('asks nothing more where no filter is given, the count is refused, or a record matches', async () => {
    for (const [script, words, most] of [
      [[counted(0, 0)], ['deals', '--count'], 1],
      [[counted(0, 0), problem(429, 'rate_limited', {})], ['deals', '--state', 'OH', '--count'], 9],
      [[counted(1, 4)], ['deals', '--state', 'OH', '--count'], 1],
    ] as const) {
      const { code, error, paths } = await run(script, words, { isThere: true });
      assert.deepEqual([code, error.includes('Without')], [0, false]);
      assert.ok(paths.length <= most);
    }
  });
});
