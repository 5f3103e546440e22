import assert from 'node:assert/strict';
import { HttpRequestError, TransactionReceiptNotFoundError, type TransactionReceipt } from 'viem';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { createInFlight, createNonceBook, type InFlight } from '../../../src/payments/settlement/relayer/nonce-book.js';
import { createNonceWatch, type NonceWatchPorts } from '../../../src/payments/settlement/relayer/nonce-watch.js';
import type { KeptTransaction } from '../../../src/payments/settlement/relayer/relayer-store.js';
import { createRelayerTally } from '../../../src/payments/settlement/relayer/relayer-tally.js';
import {
  createTransactionSigner,
  createTransmitter,
  type TransmitterPorts,
} from '../../../src/payments/settlement/relayer/transmitter.js';

const address: Hex = '0x00000000000000000000000000000000000a11e7';
const patienceMs = { atLeast: 10_000, atMost: 20_000 };

describe('createNonceWatch', () => {
  it('looks for some fifteen seconds for a receipt that no node shows, and then tells that its nonce is taken', async () => {
    const sight = watchNonces(() => ({ mined: 1, receipts: new Set() }));
    const lost = sight.add(0);
    const { entry, atMs } = await sight.displaced;
    assert.equal(entry, lost);
    assert.ok(atMs >= patienceMs.atLeast && atMs <= patienceMs.atMost, `after ${atMs} ms`);
    assert.ok(sight.passes() < 70, `${sight.passes()} looks`);
  });

  it('has the same patience while others are mined all the time', async () => {
    let others = 1;
    const sight = watchNonces((atMs) => {
      others = 1 + Math.ceil(atMs / 100);
      return { mined: others, receipts: new Set(Array.from({ length: others }, (_, nonce) => nonce).slice(1)) };
    });
    const lost = sight.add(0);
    for (let nonce = 1; nonce <= 250; nonce += 1) sight.add(nonce);
    const { entry, atMs } = await sight.displaced;
    assert.equal(entry, lost);
    assert.ok(atMs >= patienceMs.atLeast && atMs <= patienceMs.atMost, `after ${atMs} ms`);
    assert.ok(sight.concluded.length > 100, 'what is mined meanwhile is concluded');
  });

  it('looks first for what another holder of the key has signed for the nonce since', async () => {
    const signer = createTransactionSigner(`0x${'1'.repeat(64)}`, 8453);
    const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
    const { hash, raw } = await signer.sign({ to: address, data: '0x', gas: 21_000n }, 0, fees);
    const kept = [{ nonce: 0, hash, raw, carries: [], giveUpInMs: 0 }];
    const sight = watchNonces(() => ({ mined: 1, receipts: new Set([Number(hash)]) }), { kept });
    sight.add(0);
    await sight.idle;
    assert.deepEqual(sight.concluded, [0]);
    assert.equal(sight.lost(), 0);
  });

  it('asks the chain for what is added after a wake with nothing to do', async () => {
    const sight = watchNonces(() => ({ mined: 1, receipts: new Set([0]) }));
    sight.wake();
    await new Promise<void>((resolve) => setImmediate(resolve));
    sight.add(0);
    await sight.idle;
    assert.deepEqual(sight.concluded, [0]);
  });

  it('leaves a node alone for a second that is asked too often', async () => {
    const asked: number[] = [];
    const sight = watchNonces((atMs) => {
      asked.push(atMs);
      if (asked.length === 3) throw new HttpRequestError({ url: 'http://localhost', status: 429 });
      return { mined: asked.length > 6 ? 1 : 0, receipts: new Set([0]) };
    });
    sight.add(0);
    await sight.idle;
    const [, , limited = 0, next = 0] = asked;
    assert.equal(next - limited, 1_000);
  });

  it('takes a receipt that comes late', async () => {
    const sight = watchNonces((atMs) => ({ mined: 1, receipts: new Set(atMs >= 8_000 ? [0] : []) }));
    sight.add(0);
    await sight.idle;
    assert.deepEqual(sight.concluded, [0]);
    assert.equal(sight.lost(), 0);
  });

  for (const [name, isDoubtful, atLeastMs, atMostMs] of [
    ['half a second where no node has said that it has it', true, 500, 1_500],
    ['four seconds', false, 4_000, 5_000],
  ] as const)
    it(`sends what is not mined again each ${name}`, async () => {
      let nowMs = 0;
      const sentAtMs = [0];
      const transmitter: NonceWatchPorts['transmitter'] = {
        raise: async () => false,
        async transmit(entry) {
          sentAtMs.push((entry.sentAtMs = nowMs));
          return { kind: isDoubtful ? 'doubtful' : 'accepted', detail: '' };
        },
      };
      const sight = watchNonces((atMs) => ({ mined: (nowMs = atMs) >= 30_000 ? 1 : 0, receipts: new Set([0]) }), {
        transmitter,
      });
      sight.add(0).isDoubtful = isDoubtful;
      await sight.idle;
      const gaps = sentAtMs.slice(1).map((ms, index) => ms - (sentAtMs[index] ?? 0));
      assert.ok(gaps.length > 4 && gaps.every((gap) => gap >= atLeastMs && gap <= atMostMs), gaps.join());
    });

  for (const [blockMs, shortest] of [
    [200, 50],
    [2_000, 500],
    [12_000, 1_000],
    [60, 25],
  ] as const)
    it(`looks each ${shortest} ms where blocks take ${blockMs} ms, and rarer without news, each second at last`, async () => {
      const sight = watchNonces((atMs) => ({ mined: atMs >= 30_000 ? 1 : 0, receipts: new Set([0]) }), { blockMs });
      sight.add(0);
      await sight.idle;
      const steady = sight.pauses.filter((ms) => ms === shortest).length;
      const growing = sight.pauses.slice(steady);
      assert.ok(shortest === 1_000 || (steady * shortest >= 2_000 && steady * shortest < 2_500), `${steady}`);
      for (const [index, ms] of growing.entries())
        assert.equal(ms, Math.min((growing[index - 1] ?? shortest) * 1.5, 1_000));
      assert.equal(sight.pauses.at(-1), 1_000);
    });

  it('leaves what was refused alone while it is being retracted', async () => {
    let endRetracting: () => void = () => undefined;
    const isOver = new Promise<void>((resolve) => (endRetracting = resolve));
    const sentAtMs: number[] = [];
    let nowMs = 0;
    const transmitter = createTransmitter({
      ...({ signer: { address } } as TransmitterPorts),
      now: () => new Date(0),
      tally: createRelayerTally(),
      nowMs: () => nowMs,
      async submit() {
        sentAtMs.push(nowMs);
        return sentAtMs.length > 1 ? { kind: 'accepted', detail: '' } : { kind: 'refused', detail: 'no money for gas' };
      },
      store: {
        keep: async () => true,
        forget: () => isOver.then(() => Promise.reject(new Error('the store is away'))),
      },
    });
    const sight = watchNonces(
      (atMs) => {
        nowMs = atMs;
        if (atMs >= 60_000) endRetracting();
        return { mined: sentAtMs.length > 1 ? 1 : 0, receipts: new Set([0]) };
      },
      { transmitter },
    );
    const entry = sight.add(0);
    entry.mayBeOut = false;
    await transmitter.transmit(entry);
    const retracted = transmitter.retract(entry);
    await sight.idle;
    assert.equal(sentAtMs.length, 2);
    assert.ok((sentAtMs[1] ?? 0) >= 59_000, `sent again at ${sentAtMs[1]} ms`);
    assert.equal(await retracted, false);
    assert.deepEqual(sight.concluded, [0]);
  });

  it('asks a second apart whether what is mined is deep enough', async () => {
    const sight = watchNonces((atMs) => ({ mined: 1, receipts: new Set([0]), head: atMs >= 30_000 ? 12n : 10n }), {
      confirmations: 3,
    });
    sight.add(0);
    await sight.idle;
    assert.deepEqual(sight.concluded, [0]);
    assert.ok(sight.passes() < 90, `${sight.passes()} looks`);
  });
});

/**
 * What the node shows at a moment: how many nonces are used, which of them it has receipts of, and its newest block.
 */
interface Shown {
  readonly mined: number;
  readonly receipts: ReadonlySet<number>;
  readonly head?: bigint;
}

const accepting: NonceWatchPorts['transmitter'] = {
  raise: async () => false,
  transmit: async () => ({ kind: 'accepted', detail: '' }),
};

/** A watch over a mock server for the node, whose pauses pass at once. */
function watchNonces(
  show: (atMs: number) => Shown,
  {
    confirmations = 1,
    transmitter = accepting,
    kept = [],
    blockMs = 200,
  }: Partial<Pick<NonceWatchPorts, 'confirmations' | 'transmitter'>> & {
    readonly kept?: readonly KeptTransaction[];
    readonly blockMs?: number;
  } = {},
) {
  let atMs = 0;
  let passes = 0;
  let lost = 0;
  const concluded: number[] = [];
  const pauses: number[] = [];
  const book = createNonceBook();
  const closing = new AbortController();
  let tellDisplaced: (displaced: { readonly entry: InFlight; readonly atMs: number }) => void = () => undefined;
  let tellIdle: () => void = () => undefined;
  const watch = createNonceWatch({
    store: { list: async () => kept },
    address,
    book,
    confirmations,
    bumpAfterMs: Infinity,
    closing: closing.signal,
    nowMs: () => atMs,
    blockMs: async () => blockMs,
    async pause(ms) {
      pauses.push(ms);
      atMs += ms;
    },
    client: {
      async getTransactionCount() {
        passes += 1;
        return show(atMs).mined;
      },
      getBlockNumber: async () => show(atMs).head ?? 10n,
      async getTransactionReceipt({ hash }) {
        if (!show(atMs).receipts.has(Number(hash))) throw new TransactionReceiptNotFoundError({ hash });
        return {
          transactionHash: hash,
          blockNumber: 10n,
          status: 'success',
          logs: [] as unknown,
        } as TransactionReceipt;
      },
    },
    transmitter,
    onConfirmed(entry) {
      concluded.push(entry.nonce);
      remove(entry);
    },
    onDisplaced(entry) {
      lost += 1;
      remove(entry);
      closing.abort();
      tellDisplaced({ entry, atMs });
    },
    repairNonces: async () => undefined,
    onReorg: () => undefined,
  });

  function remove(entry: InFlight): void {
    book.remove(entry);
    if (book.size === 0) tellIdle();
  }

  return {
    displaced: new Promise<{ readonly entry: InFlight; readonly atMs: number }>((resolve) => (tellDisplaced = resolve)),
    idle: new Promise<void>((resolve) => (tellIdle = resolve)),
    concluded,
    pauses,
    passes: () => passes,
    lost: () => lost,
    wake: () => watch.wake(),
    add(nonce: number): InFlight {
      const hash: Hex = `0x${nonce.toString(16)}`;
      const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
      const call = { to: address, data: '0x', gas: 21_000n } as const;
      const entry = createInFlight(
        [{ nonce, hash, raw: '0x', fees, call }],
        { carries: [], giveUpAtMs: Infinity },
        atMs,
      );
      entry.mayBeOut = true;
      book.add(entry);
      watch.wake();
      return entry;
    },
  };
}
