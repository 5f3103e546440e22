import assert from 'node:assert/strict';
import { createPublicClient, custom, HttpRequestError } from 'viem';
import { createLogReader, type LogReaderOptions } from '../../../src/payments/chain/log-reader.js';

/** A node that answers each eth_getLogs by its number of blocks. */
function createNode(answer: (blocks: number) => Promise<readonly never[]> | readonly never[]) {
  const asked: number[] = [];
  const request = async ({ params: [range] }: { params: readonly { fromBlock: string; toBlock: string }[] }) => {
    assert.ok(range);
    const blocks = Number(range.toBlock) - Number(range.fromBlock) + 1;
    asked.push(blocks);
    return answer(blocks);
  };
  const client = createPublicClient({ transport: custom({ request } as never, { retryCount: 0 }) });
  const open = (options: LogReaderOptions = {}) => {
    const read = createLogReader(client, { nowMs: () => 0, pause: async () => undefined, ...options });
    return (blocks: number, end: 'oldest' | 'newest' = 'oldest') =>
      read(
        { address: '0x00000000000000000000000000000000000000aa', topics: [], fromBlock: 1n, toBlock: BigInt(blocks) },
        end,
      );
  };
  return { asked, open };
}

const refuse = (message: string, code = -32_000): never => {
  throw Object.assign(new Error(message), { code });
};

describe('the reader of logs', () => {
  it('reads from the end of a range that it is told, as many blocks as a call may have', async () => {
    const read = createNode(() => []).open({ blocksPerCall: 300n });
    assert.deepEqual(await read(1_000, 'oldest'), { logs: [], fromBlock: 1n, toBlock: 300n });
    assert.deepEqual(await read(1_000, 'newest'), { logs: [], fromBlock: 701n, toBlock: 1_000n });
    assert.deepEqual(await read(20, 'newest'), { logs: [], fromBlock: 1n, toBlock: 20n });
  });

  for (const [message, code] of [
    ['query returned more than 10000 results', -32_005],
    ['block range is too wide', -32_600],
    ['exceed maximum block range: 500', -32_000],
    ['Log response size exceeded', -32_602],
  ] as const)
    it(`halves the range at "${message}", and doubles it again after 20 good calls`, async () => {
      const { asked, open } = createNode((blocks) => (blocks > 500 ? refuse(message, code) : []));
      const read = open();
      for (let call = 0; call < 20; call += 1) await read(5_000);
      assert.deepEqual(asked, [2_000, 1_000, ...Array.from({ length: 20 }, () => 500)]);
      asked.length = 0;
      await read(5_000);
      assert.deepEqual(asked, [1_000, 500]);
    });

  it('takes no fewer blocks than the node does for a range that was short and still too long for it', async () => {
    const { asked, open } = createNode((blocks) => (blocks > 1_000 ? refuse('block range is too wide', -32_600) : []));
    const read = open();
    await read(1_050);
    await read(300);
    await read(5_000);
    assert.deepEqual(asked, [1_050, 1_000, 300, 1_000]);
  });

  it('halves it where the answer is too large for HTTP', async () => {
    const { asked, open } = createNode((blocks) => {
      if (blocks > 1_000) throw new HttpRequestError({ url: 'http://node.example', status: 413 });
      return [];
    });
    await open()(5_000);
    assert.deepEqual(asked, [2_000, 1_000]);
  });

  it('goes down to 100 blocks, and takes what is refused even then for refused for another reason', async () => {
    let isDown = true;
    const { asked, open } = createNode(() => (isDown ? refuse('internal error', -32_603) : []));
    const read = open();
    await assert.rejects(read(5_000), /internal error/);
    assert.deepEqual(asked, [2_000, 1_000, 500, 250, 125, 100]);
    isDown = false;
    assert.equal((await read(5_000)).toBlock, 2_000n);
  });

  it('halves nothing where the node is away, or takes no more calls now', async () => {
    for (const fault of [
      () => refuse('daily request count exceeded, request rate limited', -32_005),
      () => {
        throw new HttpRequestError({ url: 'http://node.example', status: 429 });
      },
    ]) {
      const { asked, open } = createNode(fault);
      await assert.rejects(open()(5_000));
      assert.deepEqual(asked, [2_000]);
    }
  });

  it('has 4 calls at once, and begins 10 in any second, for all who read', async () => {
    let [nowMs, running, most] = [0, 0, 0];
    const begun: number[] = [];
    const { open } = createNode(async () => {
      begun.push(nowMs);
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return [];
    });
    const pause = async (delayMs: number): Promise<void> => void (nowMs += delayMs);
    const read = open({ nowMs: () => nowMs, pause });
    await Promise.all(Array.from({ length: 45 }, () => read(10)));
    assert.equal(most, 4);
    assert.equal(begun.length, 45);
    for (const [index, at] of begun.entries()) if (index >= 10) assert.ok(at - (begun[index - 10] ?? at) >= 1_000);
    assert.ok(nowMs < 5_000);
  });
});
