import assert from 'node:assert/strict';
import { priced, problem, sold } from '../mock-server.js';
import { free, link, run } from './run.js';

describe('the command and further pages', () => {
  const pages = [priced(), sold([{ n: 1 }], link('t1')), free([{ n: 2 }], link('t2')), free([{ n: 3 }])];

  it('fetches them with --all, free, and joins them', async () => {
    const { out, paths, presented } = await run(pages, ['/api/deals?limit=1', '--all', '--json']);
    assert.deepEqual(JSON.parse(out), [{ n: 1 }, { n: 2 }, { n: 3 }]);
    assert.deepEqual(paths.slice(2), ['/api/pages/t1', '/api/pages/t2']);
    assert.equal(presented, 1);
  });

  it('keeps the next link of the last page', async () => {
    const list = (n: number, next: string | null) => ({ total: 2, next, records: [{ n }] });
    const script = [free(list(1, '/api/pages/t1'), link('t1')), free(list(2, null))];
    const { out } = await run(script, ['/api/signals', '--all', '--json']);
    assert.deepEqual(JSON.parse(out), { total: 2, next: null, records: [{ n: 1 }, { n: 2 }] });
  });

  it('names the payment before it fetches them, and counts the records after', async () => {
    const { error } = await run(pages, ['deals', '--all', '--ndjson']);
    assert.match(error, /^Price[^\n]*\nPaid[^]*Payment 0x[0-9a-f]{64}\n3 of 3 records\.\n$/);
  });

  it('writes each page as it arrives with --ndjson', async () => {
    const { out } = await run(pages, ['deals', '--limit', '1', '--all', '--ndjson']);
    assert.equal(out, '{"n":1}\n{"n":2}\n{"n":3}\n');
  });

  it('shows its progress on a terminal, and clears it at the end', async () => {
    const { error } = await run(pages, ['deals', '--all'], { isThere: true });
    assert.match(error, /\rdeals|\u001b\[Kdeals █{6}░{14} {2}33% {2}1 of 3 records\r/);
    assert.doesNotMatch(error, /records\n[^]*█/);
  });

  it('reports on a separate line that it waits for a busy server', async () => {
    const busy = problem(503, 'temporarily_unavailable', { retryable: true }, { 'Retry-After': '3' });
    const script = [...pages.slice(0, 2), busy, ...pages.slice(2)];
    const { code, error } = await run(script, ['deals', '--all'], { isThere: true });
    assert.equal(code, 0);
    assert.match(error, /records\r\u001b\[KThe server asks to wait; retrying in 3 s\.\n/);
  });

  it('stops after the first page without --all and says that there are more', async () => {
    const { error, paths } = await run(pages, ['/api/deals?limit=1']);
    assert.equal(paths.length, 2);
    assert.match(error, /1 of 3 records\. --all fetches the rest, free\./);
  });

  it('prints the received pages when a later one fails, and fails', async () => {
    const script = [...pages.slice(0, 3), problem(410, 'cursor_expired')];
    const { code, out, error } = await run(script, ['/api/deals', '--all', '--json']);
    assert.equal(code, 3);
    assert.deepEqual(JSON.parse(out), [{ n: 1 }, { n: 2 }]);
    assert.match(
      error,
      /Paid \$0\.05[^]*cursor_expired[^]*was charged\. Its reply again, free: deals-feed payment-reply 0x/,
    );
    assert.doesNotMatch(error, /Nothing was charged/);
  });

  it('pays for no further page', async () => {
    const { code, error, presented } = await run([...pages.slice(0, 2), priced()], ['/api/deals', '--all', '--json']);
    assert.deepEqual([code, presented], [3, 1]);
    assert.match(error, /another payment[^]*The payment was charged/);
  });

  it('follows no link to another server', async () => {
    for (const target of ['https://elsewhere.example/p', '//elsewhere.example/p']) {
      const script = [free([{ n: 1 }], { Link: `<${target}>; rel="next"` })];
      const { code, error, paths } = await run(script, ['/api/deals', '--all', '--json']);
      assert.deepEqual([code, paths.length], [1, 1], target);
      assert.match(error, /next page is on another server/);
    }
  });

  it('stops at a page that repeats, and prints what came before', async () => {
    const { code, out, error, paths } = await run([free([{ n: 1 }], link('t1'))], ['/api/deals', '--all', '--json']);
    assert.deepEqual([code, JSON.parse(out), paths.length], [1, [{ n: 1 }], 2]);
    assert.match(error, /^[A-Z].*a page repeats\.$[^]*Reason: unexpected_answer$/m);
  });
});
