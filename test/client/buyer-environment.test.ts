import assert from 'node:assert/strict';
import { readBuyerEnvironment, UsageError } from '../../src/client/buyer-environment.js';

const key = `0x${'ab'.repeat(32)}`;

describe('the environment of a buyer', () => {
  it('requires nothing; an empty variable counts as not set', () => {
    const bare = { baseUrl: 'http://127.0.0.1:4021', privateKey: undefined, rpcUrl: undefined };
    assert.deepEqual(readBuyerEnvironment({}), bare);
    assert.deepEqual(readBuyerEnvironment({ BASE_URL: '', PRIVATE_KEY: '', RPC_URL: '' }), bare);
  });

  it('gives the server, the key and the node', () => {
    const rpcUrl = 'https://node.example/v2/secret?x=1';
    const given = { BASE_URL: 'https://deals.example/feed//', PRIVATE_KEY: key, RPC_URL: rpcUrl };
    assert.deepEqual(readBuyerEnvironment(given), { baseUrl: 'https://deals.example/feed', privateKey: key, rpcUrl });
  });

  it('is refused when the address of the node is invalid, without repeating it', () => {
    for (const RPC_URL of ['node.example', 'ws://node.example', 'https://secret-words:b@node.example'])
      assert.throws(
        () => readBuyerEnvironment({ RPC_URL }),
        (error: unknown) => error instanceof UsageError && !error.message.includes(RPC_URL),
        RPC_URL,
      );
  });

  it('is refused when the address is invalid', () => {
    for (const BASE_URL of ['deals.example', 'ftp://deals.example', 'http://', 'file:///etc/passwd', 'http://a/docs#b'])
      assert.throws(() => readBuyerEnvironment({ BASE_URL }), UsageError, BASE_URL);
    for (const BASE_URL of ['https://user:secret-words@deals.example', 'https://deals.example?key=secret-words'])
      assert.throws(
        () => readBuyerEnvironment({ BASE_URL }),
        (error: unknown) => error instanceof UsageError && !error.message.includes('secret-words'),
      );
  });

  it('is told to leave out /api at the end of the address', () => {
    for (const BASE_URL of ['https://deals.example/api', 'https://deals.example/api/'])
      assert.throws(() => readBuyerEnvironment({ BASE_URL }), new UsageError('BASE_URL ends in /api; leave it out.'));
  });

  it('is refused when the key is invalid, without repeating it', () => {
    for (const PRIVATE_KEY of ['secret-words', key.slice(2), `${key}ab`, `0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`])
      assert.throws(
        () => readBuyerEnvironment({ PRIVATE_KEY }),
        (error: unknown) => error instanceof UsageError && !error.message.includes(PRIVATE_KEY),
      );
  });
});
