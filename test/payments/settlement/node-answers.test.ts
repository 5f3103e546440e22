import assert from 'node:assert/strict';
import { keccak256 } from 'viem';
import { createChainClient } from '../../../src/payments/chain/clients.js';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { submitTransaction, type SyncSupport } from '../../../src/payments/settlement/relayer/submit-transaction.js';
import { answerWith, errorWith, plainAnswers, statusWith, word } from './bad-answers.js';
import { startFlakyNode, type BadAnswer, type FlakyNode } from './flaky-node.js';

type Answer = BadAnswer['answer'];

/** No node is behind this one: whatever it says is all that there is. */
const raw: Hex = '0x02c0';
const hash = keccak256(raw);
const accepted = answerWith({ result: hash });
const unknownTransaction = answerWith({ result: null });

const shapes: Readonly<Record<string, Answer>> = {
  'a hash in place of a receipt': answerWith({ result: word }),
  'a receipt of another hash': answerWith({ result: { transactionHash: word, blockNumber: '0x1', logs: [] } }),
  'a receipt without logs': answerWith({ result: { transactionHash: hash, blockNumber: '0x1', status: '0x1' } }),
  'a text': answerWith({ result: 'sent' }),
  'a number': answerWith({ result: 7 }),
};
/** For doubt there is no difference between them. */
const doubts: Readonly<Record<string, Answer>> = { ...plainAnswers, ...shapes };
const knownTexts = ['already known', 'known transaction: 0x1', 'Transaction already imported'];
const refusalTexts = [
  'insufficient funds for gas * price + value',
  'intrinsic gas too low',
  'exceeds block gas limit',
  'transaction gas limit exceeds maximum transaction gas limit',
  'max fee per gas less than block base fee',
  'transaction type not supported',
  'invalid chain id for signer',
  'invalid sender',
  'oversized data',
];
/** A node or a proxy that does not know how to wait. */
const unknownMethods: Readonly<Record<string, Answer>> = {
  '-32601': errorWith(-32601, 'Not found'),
  '-32004': errorWith(-32004, 'Not supported'),
  'method not allowed': errorWith(-32000, 'The method eth_sendRawTransactionSync is not allowed'),
  'HTTP 404': statusWith(404, 'Not found'),
  'HTTP 405': statusWith(405, 'Method not allowed'),
  'HTTP 501': statusWith(501, 'Not implemented'),
};

describe('what a node says to a signed transaction', () => {
  let node: FlakyNode;
  let answers: Record<string, Answer> = {};
  let given: (readonly unknown[])[] = [];

  before(async () => {
    node = await startFlakyNode('', (method, params) => {
      given.push(params);
      return { reachesNode: false, answer: answers[method] };
    });
  });
  after(() => node.stop());

  async function submit(
    to: { sync?: Answer; plain: Answer; look?: Answer },
    { unsupportedForMs, pauses = [] }: { unsupportedForMs?: number; pauses?: number[] } = {},
  ) {
    answers = {
      eth_sendRawTransactionSync: to.sync,
      eth_sendRawTransaction: to.plain,
      eth_getTransactionByHash: to.look ?? unknownTransaction,
    };
    node.methods.length = 0;
    const isSilent = Object.values(answers).includes(undefined);
    const client = createChainClient({ rpcUrl: node.rpcUrl, timeoutMs: isSilent ? 1_000 : 30_000 });
    const nowMs = 1_000_000;
    const sync: SyncSupport = {
      unsupportedSinceMs: unsupportedForMs === undefined ? undefined : nowMs - unsupportedForMs,
    };
    const closing = new AbortController().signal;
    const pause = async (ms: number): Promise<void> => void pauses.push(ms);
    const ports = { client, nowMs: () => nowMs, pause, closing };
    const { kind } = await submitTransaction(ports, { raw, hash }, 'sync' in to ? sync : undefined);
    const sends = node.methods.filter((method) => method.startsWith('eth_send'));
    return {
      kind,
      sends: sends.map((method) => method.slice('eth_sendRaw'.length)),
      isOff: sync.unsupportedSinceMs !== undefined,
    };
  }

  describe('by eth_sendRawTransaction', () => {
    for (const [name, plain] of Object.entries(doubts))
      it(`${name}: doubt, and the same bytes three times`, async () => {
        assert.deepEqual(await submit({ plain }), { kind: 'doubtful', sends: times(3), isOff: false });
      });

    it('gets the same bytes again after 100 and after 300 ms', async () => {
      const pauses: number[] = [];
      await submit({ plain: errorWith(-32603, 'internal error') }, { pauses });
      assert.deepEqual(pauses, [100, 300]);
    });

    for (const text of knownTexts)
      it(`"${text}": accepted`, async () => {
        const plain = errorWith(-32000, text);
        assert.deepEqual(await submit({ plain }), { kind: 'accepted', sends: times(1), isOff: false });
      });

    for (const text of refusalTexts)
      it(`"${text}": refused, where the node does not know the transaction`, async () => {
        const plain = errorWith(-32000, text);
        assert.deepEqual(await submit({ plain }), { kind: 'refused', sends: times(1), isOff: false });
        const known = answerWith({ result: { hash, blockNumber: null } });
        for (const look of [errorWith(-32603, 'internal error'), known])
          assert.equal((await submit({ plain, look })).kind, 'doubtful');
      });
  });

  describe('by eth_sendRawTransactionSync', () => {
    for (const [name, sync] of Object.entries(doubts)) {
      const isUnknown = name === 'error -32601';
      it(`${name}: ${isUnknown ? 'not asked again' : 'doubt'}, and the ordinary method at once`, async () => {
        const sends = ['TransactionSync', 'Transaction'];
        assert.deepEqual(await submit({ sync, plain: accepted }), { kind: 'accepted', sends, isOff: isUnknown });
        const refused = await submit({ sync, plain: errorWith(-32000, 'intrinsic gas too low') });
        assert.equal(refused.kind, isUnknown ? 'refused' : 'doubtful', 'the node may have taken it before');
      });
    }

    for (const [name, sync] of Object.entries(unknownMethods))
      it(`${name}: the ordinary method at once, and this one not for ten minutes`, async () => {
        const sends = ['TransactionSync', 'Transaction'];
        assert.deepEqual(await submit({ sync, plain: accepted }), { kind: 'accepted', sends, isOff: true });
      });

    it('is asked again once those ten minutes are over, and not before', async () => {
      for (const [unsupportedForMs, asked] of [
        [599_999, 'Transaction'],
        [600_000, 'TransactionSync'],
      ] as const) {
        const { sends } = await submit({ sync: accepted, plain: accepted }, { unsupportedForMs });
        assert.equal(sends[0], asked);
      }
    });

    it('is given the bytes alone: how long it may wait is written in two ways', async () => {
      given = [];
      await submit({ sync: accepted, plain: accepted });
      assert.deepEqual(given[0], [raw]);
    });

    it('code 4 with its own hash: accepted', async () => {
      const sync = errorWith(4, 'not mined yet', hash);
      assert.deepEqual(await submit({ sync, plain: accepted }), {
        kind: 'accepted',
        sends: ['TransactionSync'],
        isOff: false,
      });
    });

    it('a receipt of its own hash: mined', async () => {
      const receipt = { transactionHash: hash, blockNumber: '0x1', status: '0x1', logs: [] };
      assert.equal((await submit({ sync: answerWith({ result: receipt }), plain: accepted })).kind, 'mined');
    });

    for (const text of refusalTexts)
      it(`"${text}": refuses nothing by itself`, async () => {
        const sync = errorWith(-32000, text);
        assert.equal((await submit({ sync, plain: accepted })).kind, 'accepted');
        assert.equal((await submit({ sync, plain: sync })).kind, 'refused', 'and with the ordinary method it does');
      });
  });
});

function times(count: number): readonly string[] {
  return Array<string>(count).fill('Transaction');
}
