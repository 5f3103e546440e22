import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createBlockTimes } from '../../../src/payments/chain/block-times.js';
import type { ChainClient } from '../../../src/payments/chain/clients.js';

const day = 86_400;
const birth = 1_750_000_000;

/** A chain that made blocks at one cadence after another: `[seconds, milliseconds between two blocks]`. */
function createModelChain(parts: readonly (readonly [number, number])[], finalityLagBlocks = 300) {
  const state = { reads: 0, isDown: false, lateBy: 0 };
  const starts: { number: number; ms: number; blockMs: number }[] = [];
  let number = 0;
  let ms = 0;
  for (const [seconds, blockMs] of parts) {
    starts.push({ number, ms, blockMs });
    number += Math.floor((seconds * 1000) / blockMs);
    ms += Math.floor((seconds * 1000) / blockMs) * blockMs;
  }
  const head = number;
  const timeOf = (block: number): number => {
    const part = starts.findLast((each) => each.number <= block);
    assert.ok(part);
    return birth + Math.floor((part.ms + (block - part.number) * part.blockMs) / 1000) + state.lateBy;
  };
  const client = {
    getBlock: async (asked: { blockNumber?: bigint; blockTag?: string }) => {
      state.reads++;
      if (state.isDown) throw new Error('The node is down');
      const tagged = asked.blockTag === 'latest' ? head : Math.max(0, head - finalityLagBlocks);
      const block = asked.blockNumber === undefined ? tagged : Number(asked.blockNumber);
      assert.ok(block >= 0 && block <= head, `block ${block} of ${head}`);
      return { number: BigInt(block), timestamp: BigInt(timeOf(block)) };
    },
  } as unknown as ChainClient;
  /** By halves, from the chain itself. */
  const firstAt = (time: number): number => {
    let [low, high] = [0, head + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (timeOf(middle) >= time) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return { client, head, end: timeOf(head), firstAt, state };
}

describe('block times', () => {
  it('come to an end with a node that answers with another block than was asked for', async () => {
    const liar = { getBlock: async () => ({ number: 7n, timestamp: 1_750_000_000n }) } as unknown as ChainClient;
    assert.equal(await createBlockTimes(liar, () => 0).blockMs(), 1_000);
  });

  for (const [name, blockMs] of [
    ['200 ms, five blocks a second', 200],
    ['2 s', 2_000],
    ['12 s', 12_000],
  ] as const) {
    const chain = createModelChain([[30 * day, blockMs]]);
    const anyTime = fc.integer({ min: birth, max: chain.end });

    it(`find the first block of a second by at most 12 reads, and again by none, at ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(anyTime, async (time) => {
          const times = createBlockTimes(chain.client, () => 0);
          chain.state.reads = 0;
          assert.equal(await times.blockAt(new Date(time * 1000)), BigInt(chain.firstAt(time)));
          assert.ok(chain.state.reads <= 12, `${chain.state.reads} reads`);
          chain.state.reads = 0;
          await times.blockAt(new Date(time * 1000 - 999));
          assert.equal(chain.state.reads, 0);
        }),
        { numRuns: 200 },
      );
    });

    it(`find a time between two that were found by at most 2 reads, at ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(anyTime, fc.integer({ min: 300, max: 7_200 }), fc.nat(1_000), async (time, seconds, share) => {
          const end = Math.min(chain.end, time + seconds);
          const times = createBlockTimes(chain.client, () => 0);
          for (const each of [time, end]) await times.blockAt(new Date(each * 1000));
          chain.state.reads = 0;
          const between = time + Math.floor(((end - time) * share) / 1_000);
          assert.equal(await times.blockAt(new Date(between * 1000)), BigInt(chain.firstAt(between)));
          assert.ok(chain.state.reads <= 2, `${chain.state.reads} reads`);
        }),
        { numRuns: 200 },
      );
    });

    it(`measure the cadence, at ${name}`, async () => {
      const measured = await createBlockTimes(chain.client, () => 0).blockMs();
      assert.ok(Math.abs(measured - blockMs) <= blockMs / 50, `${measured}`);
    });
  }

  it('find a block across changes of the cadence by at most 40 reads', async () => {
    const chain = createModelChain([
      [60 * day, 12_000],
      [20 * day, 2_000],
      [22 * day, 200],
    ]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: birth, max: chain.end }), async (time) => {
        chain.state.reads = 0;
        const times = createBlockTimes(chain.client, () => 0);
        assert.equal(await times.blockAt(new Date(time * 1000)), BigInt(chain.firstAt(time)));
        assert.ok(chain.state.reads <= 40, `${chain.state.reads} reads`);
      }),
      { numRuns: 300 },
    );
  });

  it('answer 0 before the birth of the chain, and the next block after its newest', async () => {
    const { client, head, end } = createModelChain([[day, 200]]);
    const times = createBlockTimes(client, () => 0);
    assert.equal(await times.blockAt(new Date((birth - day) * 1000)), 0n);
    assert.equal(await times.blockAt(new Date((end + day) * 1000)), BigInt(head + 1));
  });

  it('answer 0 on a chain of one block', async () => {
    const times = createBlockTimes(createModelChain([[0, 200]]).client, () => 0);
    assert.equal(await times.blockAt(new Date(birth * 1000)), 0n);
  });

  it('read a block that is not final again after a minute, and a final one never', async () => {
    const { client, state, end, firstAt } = createModelChain([[day, 2_000]]);
    let nowMs = 0;
    const times = createBlockTimes(client, () => nowMs);
    const [young, old] = [end - 60, end - 7_200];
    for (const time of [old, young]) await times.blockAt(new Date(time * 1000));
    nowMs += 60_000;
    state.lateBy = 20;
    assert.equal(await times.blockAt(new Date(young * 1000)), BigInt(firstAt(young)));
    state.lateBy = 0;
    state.reads = 0;
    assert.equal(await times.blockAt(new Date(old * 1000)), BigInt(firstAt(old)));
    assert.equal(state.reads, 0);
  });

  it('keep a thousand headers', async () => {
    const { client, state, end } = createModelChain([[300 * day, 2_000]]);
    const times = createBlockTimes(client, () => 0);
    const at = (hours: number) => times.blockAt(new Date((end - hours * 3_600) * 1000));
    async function readsOf(hours: number): Promise<number> {
      const before = state.reads;
      await at(hours);
      return state.reads - before;
    }
    let hours = 1;
    await at(hours);
    while (state.reads < 980) await at((hours += 1));
    assert.deepEqual([await readsOf(1), await readsOf(hours)], [0, 0]);
    while (state.reads < 1_100) await at((hours += 1));
    assert.ok((await readsOf(1)) > 0, 'the oldest are gone');
    assert.equal(await readsOf(hours), 0);
  });

  it('measure how far finality is behind by two reads, and again after a minute', async () => {
    const { client, state } = createModelChain([[day, 2_000]], 600);
    let nowMs = 0;
    const times = createBlockTimes(client, () => nowMs);
    for (nowMs of [0, 59_999]) assert.equal(await times.finalityLagMs(), 1_200_000);
    assert.equal(state.reads, 2);
    nowMs = 60_000;
    state.isDown = true;
    await assert.rejects(times.finalityLagMs(), /The node is down/);
    state.isDown = false;
    assert.equal(await times.finalityLagMs(), 1_200_000);
  });

  it('fail as the node does, and answer once it is back', async () => {
    const { client, state, end, firstAt } = createModelChain([[day, 200]]);
    const times = createBlockTimes(client, () => 0);
    state.isDown = true;
    await assert.rejects(times.blockAt(new Date((end - 600) * 1000)), /The node is down/);
    state.isDown = false;
    assert.equal(await times.blockAt(new Date((end - 600) * 1000)), BigInt(firstAt(end - 600)));
  });
});
