import assert from 'node:assert/strict';
import { createTransmitter, type TransmitterPorts } from '../../../src/payments/settlement/relayer/transmitter.js';
import { createRelayerTally } from '../../../src/payments/settlement/relayer/relayer-tally.js';

const address = '0x00000000000000000000000000000000000a11e7';
const call = { to: address, data: '0x12', gas: 60_000n } as const;
const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };

describe('what is signed', () => {
  for (const [windowMs, giveUpAfterMs] of [
    [10_000, 10_000],
    [299_999, 299_999],
    [300_000, 300_000],
    [3_660_000, 300_000],
  ] as const)
    it(`is given up ${giveUpAfterMs} ms later where the last window in it lasts ${windowMs} ms`, async () => {
      const nowMs = 5_000;
      const kept: number[] = [];
      const store: TransmitterPorts['store'] = {
        keep: async (_, { giveUpInMs }) => kept.push(giveUpInMs) > 0,
        forget: async () => undefined,
      };
      const transmitter = createTransmitter({
        store,
        signer: { address, sign: async () => ({ raw: '0x', hash: '0x', nonce: 0, call, fees }) },
        tally: createRelayerTally(),
        fees: { read: async () => fees, raise: async () => undefined },
        ...{ now: () => new Date(0), nowMs: () => nowMs, closing: new AbortController().signal },
      } as unknown as TransmitterPorts);
      const entry = await transmitter.prepare({ ...call, claims: [], endsAt: new Date(windowMs) }, 0);
      assert.equal(entry.giveUpAtMs, nowMs + giveUpAfterMs);
      assert.deepEqual(kept, [giveUpAfterMs], 'for whoever has the key then');
    });
});
