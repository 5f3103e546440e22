import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createBlockMaker } from '../../../src/demo/chain/block-maker.js';
import { openLocalChain } from '../../../src/demo/chain/open-local-chain.js';
import { createAuthorizationVerifier } from '../../../src/payments/chain/eip3009.js';
import { createTransferSimulator, verifyTransfer } from '../../../src/payments/settlement/verify-transfer.js';
import { attachTestChain } from '../../support/chain.js';

/** A maker on a clock that moves with its pauses, and how many blocks it has made. */
function openMaker(everyMs: number | undefined) {
  const state = { nowMs: 0, blocks: 0 };
  const maker = createBlockMaker({
    mine: async () => void (state.blocks += 1),
    everyMs,
    nowMs: () => state.nowMs,
    pause: async (delayMs) => {
      await Promise.resolve();
      state.nowMs += delayMs;
    },
  });
  /** Lets all pauses pass that it takes before it sleeps. */
  const rest = () => new Promise<void>((resolve) => void setImmediate(resolve));
  return { maker, state, rest };
}

describe('the maker of blocks', () => {
  it('makes none before it is woken, one at once, and one each 200 ms until ten seconds later', async () => {
    const { maker, state, rest } = openMaker(200);
    await rest();
    assert.equal(state.blocks, 0);
    const woken = maker.wake();
    assert.equal(state.blocks, 1);
    await woken;
    await rest();
    assert.equal(state.blocks, 50);
    await rest();
    assert.deepEqual([state.blocks, state.nowMs], [50, 10_000]);
    await maker.wake();
    await rest();
    assert.equal(state.blocks, 100);
  });

  it('makes blocks at one pace, however often it is woken', async () => {
    const { maker, state, rest } = openMaker(200);
    await Promise.all([maker.wake(), maker.wake(), maker.wake()]);
    await rest();
    assert.equal(state.blocks, 50);
  });

  it('makes only the first where each transaction makes its own', async () => {
    const { maker, state, rest } = openMaker(undefined);
    for (const at of [0, 5_000, 14_000, 30_000]) {
      state.nowMs = at;
      await maker.wake();
    }
    await rest();
    assert.equal(state.blocks, 2);
  });

  it('stops when it is closed', async () => {
    const { maker, state, rest } = openMaker(200);
    const woken = maker.wake();
    maker.close();
    await woken;
    await rest();
    assert.equal(state.blocks, 1);
  });
});

describe('the local chain of a demonstration', () => {
  let directory: string;

  before(async () => (directory = await mkdtemp(join(tmpdir(), 'local-chain-'))));
  after(() => rm(directory, { recursive: true }));

  it('rests until a payment is tried or sent, then has the time of now, and makes blocks', async () => {
    const log = pino({ level: 'silent' });
    const local = await openLocalChain({ directory, anvilPath: undefined, blockMs: 20, now: () => new Date(), log });
    const { client, terms } = local;
    assert.ok(client && local.localRpcUrl);
    const chain = attachTestChain(local.localRpcUrl);
    const height = await client.getBlockNumber();
    await client.getBlock();
    assert.equal(await client.getBlockNumber(), height);

    const { network, payTo } = terms;
    const { asset: verifyingContract, chainId, domain } = network;
    const verifier = await createAuthorizationVerifier({ ...domain, chainId, verifyingContract });
    const ports = { simulator: createTransferSimulator(client, network), verifier, payTo };
    assert.equal((await verifyTransfer(ports, await chain.signAuthorization())).verdict, 'good');
    assert.ok((await client.getBlockNumber()) > height);
    // Nobody but the chain itself mines it.
    const [from, to] = [chain.buyer.address, chain.payTo.address];
    assert.match(await chain.send(from, to, '0x'), /^0x/);
    await local.stop();
  });
});
