import assert from 'node:assert/strict';
import { custom, type HttpTransport } from 'viem';
import { createChainClient, type ChainClient } from '../../../src/payments/chain/clients.js';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { createObservedClient } from '../../../src/payments/settlement/observed-client.js';
import { answerWith, plainAnswers } from '../settlement/bad-answers.js';
import { startFlakyNode, type BadAnswer, type FlakyNode } from '../settlement/flaky-node.js';

type Question = (client: ChainClient) => Promise<unknown>;

const address: Hex = '0x00000000000000000000000000000000000000aa';
const raw = { serializedTransaction: '0x02c0' } as const;
const logs = { address, topics: [], fromBlock: 1n, toBlock: 2n };

/** What is asked before anything is sent. */
const askedTwice: Readonly<Record<string, Question>> = {
  eth_call: (client) => client.call({ to: address, data: '0x12' }),
  eth_getCode: (client) => client.request({ method: 'eth_getCode', params: [address, 'latest'] }),
  eth_estimateGas: (client) => client.estimateGas({ account: address, to: address }),
  eth_getBalance: (client) => client.getBalance({ address }),
  eth_getBlockByNumber: (client) => client.getBlock({ blockTag: 'latest' }),
};
/** What a later pass asks again, and evidence. */
const askedOnce: Readonly<Record<string, Question>> = {
  eth_getTransactionCount: (client) => client.getTransactionCount({ address }),
  eth_getTransactionReceipt: (client) => client.getTransactionReceipt({ hash: `0x${'12'.repeat(32)}` }),
  eth_blockNumber: (client) => client.getBlockNumber(),
  eth_getLogs: (client) => client.readLogs(logs, 'newest'),
};

describe('what a node is asked', () => {
  let node: FlakyNode;
  let answer: BadAnswer['answer'];

  before(async () => {
    node = await startFlakyNode('', () => ({ reachesNode: false, answer }));
  });
  after(() => node.stop());

  /** Asks in vain; says how often the node heard of it, and how long it was left alone in between. */
  async function ask(question: Question, bad: BadAnswer['answer']) {
    answer = bad;
    node.methods.length = 0;
    const pauses: number[] = [];
    const pause = async (ms: number): Promise<void> => void pauses.push(ms);
    const silent = bad === undefined ? { timeoutMs: 300 } : {};
    await assert.rejects(question(createChainClient({ rpcUrl: node.rpcUrl, pause, ...silent })));
    return [node.methods.length, ...pauses];
  }

  for (const [name, bad] of Object.entries(plainAnswers)) {
    it(`before anything is sent is asked once more after 100 ms, and is then not known: ${name}`, async () => {
      for (const [method, question] of Object.entries(askedTwice))
        assert.deepEqual([method, ...(await ask(question, bad))], [method, 2, 100]);
    });

    // No receipt is an answer.
    if (name === 'null') continue;
    it(`afterwards is asked by the next pass, and is then not known: ${name}`, async () => {
      for (const [method, question] of Object.entries(askedOnce))
        assert.deepEqual([method, ...(await ask(question, bad))], [method, 1]);
    });
  }

  it('is asked again after Retry-After, and after a second at most', async () => {
    const limited = (after: string) => (response: Parameters<NonNullable<BadAnswer['answer']>>[0]) =>
      void response.writeHead(429, { 'Retry-After': after }).end();
    for (const [after, ms] of [
      ['0.3', 300],
      ['60', 1_000],
      ['soon', 100],
    ] as const)
      assert.deepEqual(await ask(askedTwice['eth_call'] ?? assert.fail(), limited(after)), [2, ms]);
  });

  it('is told with its method, how it was answered and how long it took, each time that it is asked', async () => {
    const told: string[] = [];
    for (const [name, result] of [
      ['HTTP 502', 'failed'],
      ['error -32603', 'refused'],
    ] as const) {
      answer = plainAnswers[name];
      const client = createObservedClient({ rpcUrl: node.rpcUrl, pause: async () => undefined });
      client.onCall?.((method, how, seconds) => void told.push(`${method} ${how} ${seconds >= 0}`));
      for (const question of [() => client.getBlockNumber(), () => client.getBalance({ address })])
        await assert.rejects(question());
      assert.deepEqual(told.splice(0), [
        `eth_blockNumber ${result} true`,
        ...Array<string>(2).fill(`eth_getBalance ${result} true`),
      ]);
    }
    answer = answerWith({ result: '0x7' });
    const client = createObservedClient({ rpcUrl: node.rpcUrl });
    client.onCall?.((method, how) => void told.push(`${method} ${how}`));
    assert.equal(await client.getBlockNumber(), 7n);
    assert.deepEqual(told, ['eth_blockNumber answered']);
  });

  it('is answered in 2 s, a transaction in 5 s, and a question for logs in 10 s, or not at all', async () => {
    const limits = new Map<string, number>();
    const transport = (limitMs: number) => {
      const request = async ({ method }: { readonly method: string }): Promise<never> => {
        limits.set(method, limitMs);
        throw new Error('made up');
      };
      return custom({ request }, { retryCount: 0 }) as unknown as HttpTransport;
    };
    const client = createChainClient({ rpcUrl: '', transport, pause: async () => undefined });
    const sends = [() => client.sendRawTransaction(raw), () => client.sendRawTransactionSync(raw)];
    for (const question of [...Object.values(askedTwice), ...Object.values(askedOnce), ...sends])
      await assert.rejects(question(client));
    const { eth_getLogs: ofLogs, ...others } = Object.fromEntries(limits);
    assert.equal(ofLogs, 10_000);
    for (const [method, limitMs] of Object.entries(others))
      assert.equal(limitMs, method.startsWith('eth_sendRawTransaction') ? 5_000 : 2_000, method);
    assert.equal(limits.size, Object.keys({ ...askedTwice, ...askedOnce }).length + sends.length);
  });
});
