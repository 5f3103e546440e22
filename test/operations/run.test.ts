import assert from 'node:assert/strict';
import { concatBytes } from '../../src/contract/rendered.js';
import { ServiceError } from '../../src/errors.js';
import type { HandlerReply } from '../../src/operations/operation.js';
import { problemBody } from '../../src/operations/problem.js';
import { createOpenSale, createTestRun, jsonOf, requestOf } from './test-run.js';

const alive: HandlerReply = { status: 200, body: { status: 'alive' } };
const feed = { name: 'deals', version: 1, revision: 'deals 1' };
const paid = requestOf({ paymentSignatures: ['x'] });

describe('the run of an operation', () => {
  const breaches: readonly [string, HandlerReply][] = [
    ['an undeclared status', { ...alive, status: 206 }],
    ['an undeclared redirect', { ...alive, status: 302 }],
    ['an undeclared media type', { ...alive, mediaType: 'text/html' }],
    ['a body that breaks its schema', { status: 200, body: { status: 'dead' } }],
    ['a body with a field too many', { status: 200, body: { status: 'alive', secret: 1 } }],
    ['no body', { status: 200, body: undefined }],
  ];
  for (const [name, reply] of breaches) {
    it(`never sends ${name}: the caller gets 500 and a request id, the operator the place`, async () => {
      const { run, errors } = createTestRun('getHealth', () => reply);
      const answer = await run(requestOf());
      assert.equal(answer.status, 500);
      assert.equal(jsonOf(answer)['request_id'], 'request1');
      assert.equal(errors.length, 1);
      assert.equal(errors[0]?.['requestId'], 'request1');
    });
  }

  it('does not charge for a reply that breaks the contract', async () => {
    for (const body of [[{ id: 'not a deal' }], { deals: [] }, undefined]) {
      const sale = createOpenSale('listDeals');
      const { run } = createTestRun('listDeals', () => ({ status: 200, body, feed }), { sale });
      assert.equal((await run(paid)).status, 500);
      assert.deepEqual(sale.charged, []);
    }
  });

  it('charges for a 200 only: another status is a fault of the handler', async () => {
    const sale = createOpenSale('listDeals');
    // Well-formed and declared: what is wrong with it is only that it is no 200.
    const body = problemBody(new ServiceError('no_records_match', 'Nothing.'), 'request1');
    const { run } = createTestRun(
      'listDeals',
      () => ({ status: 404, body, mediaType: 'application/problem+json', feed }),
      {
        sale,
      },
    );
    assert.equal((await run(paid)).status, 500);
    assert.deepEqual(sale.charged, []);
  });

  it('does not charge for a reply whose feed is not named', async () => {
    const sale = createOpenSale('listDeals');
    const { run } = createTestRun('listDeals', () => ({ status: 200, body: [] }), { sale });
    assert.equal((await run(paid)).status, 500);
    assert.deepEqual(sale.charged, []);
  });

  it('does not charge a caller who has hung up', async () => {
    const sale = createOpenSale('listDeals');
    const { run } = createTestRun('listDeals', () => ({ status: 200, body: [], feed }), { sale });
    const answer = await run({ ...paid, isAbandoned: () => true });
    assert.equal(answer.status, 503);
    assert.deepEqual(sale.charged, []);
  });

  it('runs the handler for nobody who has not paid', async () => {
    let runs = 0;
    const sale = createOpenSale('listDeals');
    const { run } = createTestRun(
      'listDeals',
      () => ({ status: 200, body: [], feed, headers: { runs: String(++runs) } }),
      {
        sale,
      },
    );
    assert.equal((await run(requestOf())).status, 402);
    assert.equal((await run(requestOf({ query: 'min_units=x' }))).status, 402);
    assert.equal(runs, 0);
    assert.equal((await run(paid)).status, 200);
    assert.equal(runs, 1);
    assert.equal(sale.charged.length, 1);
  });

  it('runs the handler once more when the feed moved, then gives up unbilled', async () => {
    let [runs, refreshes] = [0, 0];
    const sale = createOpenSale('listDeals', async () => ({ outcome: 'stale' }));
    const handler = () => ({ status: 200, body: [], feed: { name: 'deals', version: ++runs } });
    const { run } = createTestRun('listDeals', handler, { sale, refreshFeed: async () => void refreshes++ });
    const answer = await run(paid);
    assert.equal(answer.status, 503);
    assert.deepEqual([runs, refreshes], [2, 2]);
    assert.equal(jsonOf(answer)['payment'], 'not_settled');
  });

  it('says of a refusal by the handler that the payment was not used', async () => {
    const sale = createOpenSale('listDeals');
    const refuse = () => {
      throw new ServiceError('no_records_match', 'Nothing.');
    };
    const answer = await createTestRun('listDeals', refuse, { sale }).run(paid);
    assert.deepEqual([answer.status, jsonOf(answer)['payment'], sale.charged.length], [404, 'not_settled', 0]);
  });

  it('tells nothing of an error that nobody foresaw, and says that nothing was billed', async () => {
    const { run, errors } = createTestRun('getHealth', () => {
      throw new TypeError('the database said hunter2');
    });
    const answer = await run(requestOf());
    assert.equal(answer.status, 500);
    assert.equal(jsonOf(answer)['billed'], false);
    assert.doesNotMatch(JSON.stringify(jsonOf(answer)), /hunter2|TypeError/);
    assert.match(JSON.stringify(errors), /hunter2/);
  });

  it('gives the same request the same tag, and another tag to another query, revision, operation or secret', async () => {
    const meta = () => ({ status: 200, body: 'text', mediaType: 'text/plain' });
    const tagOf = async (operationId: string, revision: string, secret: string) =>
      (await createTestRun(operationId, meta, { currentRevision: () => revision, secrets: [secret] }).run(requestOf()))
        .headers['ETag'];
    const one = await tagOf('getLlmsText', '1', 'secret');
    assert.match(one ?? '', /^"[A-Za-z0-9_-]{22}"$/);
    assert.equal(await tagOf('getLlmsText', '1', 'secret'), one);
    assert.notEqual(await tagOf('getLlmsText', '2', 'secret'), one);
    assert.notEqual(await tagOf('getLlmsText', '1', 'other'), one);
    const sale = createOpenSale('listDeals');
    const { run } = createTestRun('listDeals', () => ({ status: 200, body: [], feed }), {
      sale,
      currentRevision: () => 'x',
    });
    const tags = await Promise.all(
      ['', 'state=OH', 'state=TX'].map(async (query) => (await run({ ...paid, query })).headers['ETag']),
    );
    assert.equal(new Set(tags).size, 3);
  });

  it('knows the tags that it gave under another secret that is accepted', async () => {
    const meta = () => ({ status: 200, body: 'text', mediaType: 'text/plain' });
    const ask = (secrets: readonly [string, ...string[]], ifNoneMatch?: string) =>
      createTestRun('getLlmsText', meta, { currentRevision: () => '1', secrets }).run(requestOf({ ifNoneMatch }));
    const [old, fresh] = [(await ask(['old'])).headers['ETag'], (await ask(['new', 'old'])).headers['ETag']];
    assert.notEqual(old, fresh);
    assert.deepEqual([(await ask(['new', 'old'], old)).status, (await ask(['new', 'old'], fresh)).status], [304, 304]);
    assert.equal((await ask(['new'], old)).status, 200);
  });

  it('answers a current tag without running the handler, paid or not', async () => {
    let runs = 0;
    const sale = createOpenSale('listDeals');
    const handler = () => ({ status: 200, body: [], feed, headers: { runs: String(++runs) } });
    const { run } = createTestRun('listDeals', handler, { sale, currentRevision: () => 'deals 1' });
    const tag = (await run(paid)).headers['ETag'];
    assert.equal(runs, 1);
    for (const request of [paid, requestOf()]) {
      const answer = await run({ ...request, ifNoneMatch: tag });
      assert.deepEqual([answer.status, answer.body, runs, sale.charged.length], [304, undefined, 1, 1]);
    }
    assert.equal((await run({ ...paid, query: 'state=OH', ifNoneMatch: tag })).status, 200);
  });

  it('composes a free reply once for each revision, however many ask at once, and anew after a failure', async () => {
    let revision = '1';
    let runs = 0;
    const handler = async (): Promise<HandlerReply> => {
      runs += 1;
      if (runs === 1) throw new Error('The database is away.');
      return { status: 200, body: `run ${runs}`, mediaType: 'text/plain' };
    };
    const { run } = createTestRun('getLlmsText', handler, { currentRevision: () => revision });
    const ask = async () => {
      const { status, body } = await run(requestOf());
      return status === 200 && typeof body === 'object' ? Buffer.from(concatBytes(body)).toString() : status;
    };
    assert.equal(await ask(), 500);
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['run 2', 'run 2', 'run 2']);
    revision = '2';
    assert.deepEqual([await ask(), await ask()], ['run 3', 'run 3']);
  });

  it('composes a free reply for everyone who asks where nothing tells that it is still the same', async () => {
    let runs = 0;
    const { run } = createTestRun('getLlmsText', () => ({
      status: 200,
      body: `run ${++runs}`,
      mediaType: 'text/plain',
    }));
    await run(requestOf());
    await run(requestOf());
    assert.equal(runs, 2);
  });
});
