import assert from 'node:assert/strict';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createChainClient } from '../../../src/payments/chain/clients.js';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { wellKnownAccounts } from '../../../src/payments/chain/well-known-accounts.js';
import { submitTransaction, type SubmitPorts } from '../../../src/payments/settlement/relayer/submit-transaction.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { startFlakyNode } from './flaky-node.js';
import type { Fate, FlakyNode } from './flaky-node.js';

const [, , , , , sender] = wellKnownAccounts;

describe('submitTransaction', () => {
  let chain: TestChain;
  let node: FlakyNode;
  let fates: (Fate | (() => Promise<Fate>))[] = [];

  before(async () => {
    chain = await startTestChain();
    node = await startFlakyNode(chain.rpcUrl, () => {
      const fate = fates.shift() ?? 'answered';
      return typeof fate === 'function' ? fate() : fate;
    });
  });
  beforeEach(() => (node.methods.length = 0));
  after(async () => {
    await node.stop();
    await chain.stop();
  });

  async function sign(nonceAhead = 0): Promise<Hex> {
    assert.ok(sender);
    const account = privateKeyToAccount(sender.privateKey);
    const nonce =
      (await chain.client.getTransactionCount({ address: account.address, blockTag: 'pending' })) + nonceAhead;
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
    return account.signTransaction({ to: account.address, gas: 21_000n, nonce, chainId: 31337, ...fees });
  }

  async function submit(raw: Hex, ...fatesOfCalls: typeof fates): Promise<string> {
    fates = fatesOfCalls;
    const client = createChainClient({ rpcUrl: node.rpcUrl });
    const closing = new AbortController().signal;
    const ports: SubmitPorts = { client, nowMs: () => performance.now(), pause: async () => undefined, closing };
    return (await submitTransaction(ports, { raw, hash: keccak256(raw) })).kind;
  }

  it('is accepted at once on a good line', async () => {
    assert.equal(await submit(await sign()), 'accepted');
    assert.deepEqual(node.methods, ['eth_sendRawTransaction']);
  });

  it('sends the same bytes again after a lost request', async () => {
    assert.equal(await submit(await sign(), 'lost_request', 'lost_request'), 'accepted');
    assert.equal(node.methods.length, 3);
  });

  it('takes "already known" as a yes', async () => {
    await chain.ask('evm_setAutomine', [false]);
    const raw = await sign();
    assert.equal(await submit(raw, 'lost_answer'), 'accepted');
    assert.equal(await submit(raw), 'accepted');
    await chain.ask('evm_setAutomine', [true]);
    await chain.mineBlocks();
  });

  it('leaves it in doubt when the nonce was taken while an answer was lost', async () => {
    await chain.ask('evm_setAutomine', [false]);
    const mineFirst = async (): Promise<Fate> => {
      await chain.mineBlocks();
      return 'answered';
    };
    assert.equal(await submit(await sign(), 'lost_answer', mineFirst), 'doubtful');
    await chain.ask('evm_setAutomine', [true]);
  });

  it('gives up in doubt after three lost calls', async () => {
    assert.equal(await submit(await sign(), 'lost_request', 'lost_request', 'lost_request'), 'doubtful');
    assert.equal(node.methods.length, 3);
  });

  it('is in doubt when the nonce is used: perhaps by these very bytes', async () => {
    const raw = await sign();
    assert.equal(await submit(raw), 'accepted');
    await chain.mineBlocks();
    assert.equal(await submit(raw), 'doubtful');
  });

  it('is refused by a text of the list, where the node does not know the transaction', async () => {
    const account = privateKeyToAccount(`0x${'66'.repeat(32)}`);
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
    const raw = await account.signTransaction({ to: account.address, gas: 21_000n, nonce: 0, chainId: 31337, ...fees });
    assert.equal(await submit(raw), 'refused');
    assert.deepEqual(node.methods, ['eth_sendRawTransaction', 'eth_getTransactionByHash']);
    assert.equal(await submit(raw, 'answered', 'lost_request'), 'doubtful', 'nobody said that it is not there');
    assert.equal(await submit(raw, 'lost_request'), 'doubtful', 'the first request may have arrived');
  });
});
