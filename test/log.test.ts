import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
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

  it('takes whatever was thrown', () => {
    assert.match(log('a text'), /a text/);
    assert.match(log(undefined), /it failed/);
  });
});
