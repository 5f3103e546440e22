import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { mock } from 'node:test';
import { createChainClient } from '../src/payments/chain/clients.js';
import { createLog } from '../src/log.js';
import { openTestDatabase } from './support/database.js';

/** A signature of 65 bytes. */
const signature = `0x${'5ec2e7'.repeat(21)}5ec21b` as const;

describe('the log', () => {
  /** The line that an error makes, logged at the place of the others. */
  function log(error: unknown): string {
    let text = '';
    const out = new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) });
    createLog('trace', out).error({ err: error }, 'it failed');
    return text;
  }

  async function failureOf(work: () => Promise<unknown>): Promise<Error> {
    const error: unknown = await work().then(
      () => assert.fail('it did not fail'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof Error);
    return error;
  }

  it('names what went wrong and where, with its causes', () => {
    const line = log(
      new Error('the outer fault', { cause: Object.assign(new TypeError('the inner'), { code: 'X1' }) }),
    );
    const { err } = JSON.parse(line) as { err: { type: string; message: string; stack: string } };
    assert.deepEqual([err.type, err.message], ['Error', 'the outer fault: the inner']);
    assert.match(err.stack, /log\.test\.[jt]s.*caused by: TypeError: the inner/s);
  });

  it('has the time as ISO 8601, the level as a word, and which instance of which version wrote it', () => {
    let text = '';
    const out = new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) });
    createLog('info', out, { instance: 'deals-1', version: '1.2.3' }).info({ url: 'x' }, 'started');
    const { time, ...line } = JSON.parse(text) as { time: string };
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const origin = { service: 'deals-feed', instance: 'deals-1', version: '1.2.3' };
    assert.deepEqual(line, { level: 'info', ...origin, url: 'x', msg: 'started' });
  });

  it('keeps the code of a fault, by which operators look it up', () => {
    assert.match(log(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })), /"code":"ECONNREFUSED"/);
  });

  it('does not repeat the address of a node, which may hold a key, nor what it was asked', async () => {
    const rpcUrl = 'http://user:secret-of-the-rpc@127.0.0.1:1/v2/secret-of-the-rpc?key=secret-of-the-rpc';
    const client = createChainClient({ rpcUrl });
    const error = await failureOf(() => client.call({ to: `0x${'11'.repeat(20)}`, data: signature }));
    const [line, nested] = [log(error), log(new Error('the chain could not be asked', { cause: error }))];
    for (const text of [line, nested]) {
      assert.match(text, /HTTP request failed/);
      assert.doesNotMatch(text, /secret-of|5ec2e7/);
    }
  });

  it('does not repeat the values of a statement that failed', async () => {
    const { knex, close } = await openTestDatabase();
    try {
      for (const values of [
        { signature },
        { signature: Buffer.from(signature.slice(2), 'hex') },
        { payer: signature },
      ]) {
        const text = log(await failureOf(async () => knex('payments').insert({ network: 'x', ...values })));
        assert.match(text, /payments/);
        assert.doesNotMatch(text, /5ec2e7/i);
      }
      const asked = await failureOf(async () => knex('payments').where({ network: 'secret-of-a-buyer', nothing: 1 }));
      assert.match(log(asked), /nothing/);
      assert.doesNotMatch(log(asked), /secret-of/);
    } finally {
      await close();
    }
  });

  it('has a stack only where somebody must act', () => {
    let text = '';
    const out = new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) });
    createLog('trace', out).warn({ err: new Error('away'), relayer: '0x1' }, 'it is tried again');
    const line = JSON.parse(text) as object;
    assert.deepEqual(
      { ...line, time: '' },
      {
        ...{ level: 'warn', time: '', relayer: '0x1', err: { type: 'Error', message: 'away' } },
        msg: 'it is tried again',
      },
    );
  });

  it('counts the same error within ten seconds, and writes any other', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const lines: string[] = [];
      const out = new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) });
      const log = createLog('info', out);
      const fail = (port: number) => log.error({ err: new Error(`refused by 10.0.0.1:${port}`) }, 'not asked');
      const told = () => lines.splice(0).map((each) => (JSON.parse(each) as { msg: string }).msg);
      for (let port = 1; port <= 215; port++) fail(port);
      log.warn({ detail: 'hung' }, 'not asked');
      log.warn({ source: 'a' }, 'source refused');
      log.warn({ source: 'b' }, 'source refused');
      assert.deepEqual(told(), ['not asked', 'not asked', 'source refused', 'source refused']);
      mock.timers.tick(10_000);
      assert.deepEqual(told(), ['repeated 214']);
      fail(1);
      mock.timers.tick(10_000);
      assert.deepEqual(told(), ['repeated 1']);
      mock.timers.tick(10_000);
      fail(1);
      assert.deepEqual(told(), ['not asked'], 'after ten quiet seconds it is told as at first');
      assert.equal(log.lines?.get('error'), 4);
    } finally {
      mock.timers.reset();
    }
  });

  it('writes at most a megabyte in an hour in which each statement and each call of the node fails, four times a second', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let bytes = 0;
      const out = new Writable({ write: (chunk, _, done) => ((bytes += String(chunk).length), done()) });
      const log = createLog('info', out, { instance: 'deals-1', version: '1.0.0' });
      const kinds = ['unhandled error', 'the ledger failed', 'slot not run', 'deliveries not recorded', 'job failed'];
      for (let tick = 0; tick < 3_600 * 4; tick++) {
        const err = new Error(`connect ECONNREFUSED 10.0.0.1:${tick}`);
        for (const kind of kinds) log.error({ err, paymentId: `0x${tick}` }, kind);
        mock.timers.tick(250);
      }
      assert.ok(bytes <= 1_000_000, `${bytes}`);
      assert.ok(bytes > 100_000, 'each ten seconds say that it goes on');
    } finally {
      mock.timers.reset();
    }
  });

  it('takes whatever was thrown', () => {
    assert.match(log('a text'), /a text/);
    assert.match(log(undefined), /it failed/);
  });
});
