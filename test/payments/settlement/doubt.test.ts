import assert from 'node:assert/strict';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { createChainClient } from '../../../src/payments/chain/clients.js';
import type { Authorization } from '../../../src/payments/chain/eip3009.js';
import { tokenAbi } from '../../../src/payments/chain/token-abi.js';
import { deep } from '../../support/depth.js';
import { createAccount, startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { answerWith, plainAnswers, word } from './bad-answers.js';
import type { BadAnswer, Fate } from './flaky-node.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';

const methods = [
  'eth_sendRawTransactionSync',
  'eth_sendRawTransaction',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_blockNumber',
  'eth_getBlockByNumber',
  'eth_call',
  'eth_getLogs',
] as const;

const otherReceipt = { transactionHash: word, blockNumber: '0x1', status: '0x1', logs: [] };
/** What each method might answer in another shape, or of another question. */
const otherKinds: Readonly<Record<(typeof methods)[number], readonly unknown[]>> = {
  eth_sendRawTransactionSync: [word, otherReceipt, { ...otherReceipt, logs: null }, 'sent'],
  eth_sendRawTransaction: [word, otherReceipt, 7, 'sent'],
  eth_getTransactionByHash: ['sent', 7],
  eth_getTransactionCount: [word, {}, 'many'],
  eth_getTransactionReceipt: [word, otherReceipt, { ...otherReceipt, logs: undefined }],
  eth_blockNumber: [word, {}],
  eth_getBlockByNumber: [word, '0x10', {}],
  eth_call: [word, '0x', '0x1'],
  eth_getLogs: ['0x1', word, [null], [{}]],
};
/** The same as an answer of long ago. */
const stale: Readonly<Record<(typeof methods)[number], unknown>> = {
  eth_sendRawTransactionSync: undefined,
  eth_sendRawTransaction: undefined,
  eth_getTransactionByHash: null,
  eth_getTransactionCount: '0x0',
  eth_getTransactionReceipt: null,
  eth_blockNumber: '0x1',
  eth_getBlockByNumber: { number: '0x1', timestamp: '0x1', baseFeePerGas: '0x1' },
  eth_call: undefined,
  eth_getLogs: [],
};

interface How {
  /** How often the method is answered badly. */
  readonly times: number;
  readonly withSync: boolean;
  /** A stranger has sent the authorization before. */
  readonly isSentElsewhere?: boolean;
  /** The node refuses the transaction for want of gas money. */
  readonly isPenniless?: boolean;
}

function badAnswersTo(method: (typeof methods)[number]): readonly (readonly [string, BadAnswer['answer']])[] {
  const others = otherKinds[method].map(
    (result) => [`another kind, ${JSON.stringify(result).slice(0, 40)}`, answerWith({ result })] as const,
  );
  const old = stale[method] === undefined ? [] : [['a stale answer', answerWith({ result: stale[method] })] as const];
  return [...Object.entries(plainAnswers), ...others, ...old];
}

describe('doubt while settling', () => {
  let chain: TestChain;
  let rig: SettlerRig;
  let stopMining: () => void;

  before(async () => {
    chain = await startTestChain();
    rig = await createSettlerRig(chain);
    stopMining = chain.mineEvery(100);
  });
  after(async () => {
    stopMining();
    await rig.close();
    await chain.stop();
  });

  const isUsed = async ({ from, nonce }: Authorization): Promise<boolean> => {
    const ask = { abi: tokenAbi, functionName: 'authorizationState' } as const;
    const { data = '0x' } = await createChainClient({ rpcUrl: chain.rpcUrl }).call({
      to: chain.token,
      data: encodeFunctionData({ ...ask, args: [from, nonce] }),
    });
    return decodeFunctionResult({ ...ask, data });
  };

  /** One after the other: all are sent by the same stranger. */
  let elsewhere: Promise<unknown> = Promise.resolve();
  const sendElsewhere = (payment: Authorization) => (elsewhere = elsewhere.then(() => chain.submitElsewhere(payment)));

  /** Settles behind a node that answers one method badly for so many times. */
  async function settleBehind(
    method: (typeof methods)[number],
    bad: BadAnswer,
    { times, withSync, isSentElsewhere = false, isPenniless = false }: How,
  ): Promise<string> {
    const key = createAccount();
    if (!isPenniless) await chain.ask('anvil_setBalance', [key.address, '0xde0b6b3a7640000']);
    const payment = await chain.signAuthorization();
    let left = 0;
    const decide = (asked: string): Fate => {
      if (asked === method && left-- > 0) return bad;
      return asked === 'eth_sendRawTransactionSync' && !withSync ? 'unknown_method' : 'answered';
    };
    const { flaky, node } = await rig.createFlakySettler(decide, {
      relayerKey: key.privateKey,
      settings: { confirmations: 2 },
      timeoutMs: 2_000,
    });
    flaky.start();
    if (isSentElsewhere) await sendElsewhere(payment);
    left = times;
    const { outcome } = await flaky.settle(payment);
    await flaky.close();
    await node.stop();
    // Whatever was sent is mined now, or never will be.
    await chain.mineBlocks(2);
    if (outcome === 'failed') assert.equal(await isUsed(payment), false, 'told that nothing was paid, and it was');
    if (outcome === 'settled') assert.equal(await isUsed(payment), true, 'told that it was paid, and it was not');
    return outcome;
  }

  for (const method of methods) {
    it(`is never told as a no: bad answers to ${method}`, async () => {
      const isSend = method.startsWith('eth_sendRawTransaction');
      const withSync = method === 'eth_sendRawTransactionSync';
      const hows: readonly How[] = [
        { times: 2, withSync },
        { times: 2, withSync: true, isSentElsewhere: true },
        ...(isSend ? [{ times: 1_000, withSync }] : []),
        ...(method === 'eth_getTransactionByHash' ? [{ times: 1, withSync, isPenniless: true }] : []),
      ];
      // An ordinary test run has each answer to some of the methods.
      const answers = badAnswersTo(method).filter((_, index) => deep(true, index % 5 === methods.indexOf(method) % 5));
      const cases = answers.flatMap(([name, answer]) =>
        (isSend ? [true, false] : [false]).flatMap((reachesNode) =>
          hows.map((how) => ({ name, bad: { reachesNode, answer }, how })),
        ),
      );
      const outcomes = await Promise.all(
        cases.map(async ({ name, bad, how }) => {
          const outcome = await settleBehind(method, bad, how).catch((fault: unknown) => String(fault));
          return `${outcome}: ${name}, ${bad.reachesNode ? 'with' : 'without'} the node, ${JSON.stringify(how)}`;
        }),
      );
      const wrong = outcomes.filter((line) => !/^(settled|unknown|failed):/.test(line));
      assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${outcomes.length}`);
    });
  }
});
