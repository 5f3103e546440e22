import assert from 'node:assert/strict';
import { createChainClient } from '../../../src/payments/chain/clients.js';
import { createChainEvidence } from '../../../src/payments/settlement/chain-evidence.js';
import { startTestChain, type TestChain } from '../../support/chain.js';

describe('the evidence of a chain', () => {
  let chain: TestChain;

  before(async () => {
    chain = await startTestChain();
  });
  after(() => chain.stop());

  async function paid() {
    const { from, to, value, ...authorization } = await chain.signAuthorization();
    await chain.submitElsewhere({ from, to, value, ...authorization });
    const { nonce, validBefore } = authorization;
    return { network: 'eip155:31337', asset: chain.token, payer: from, payTo: to, amount: value, nonce, validBefore };
  }

  it('finds a payment that the ledger does not know', async () => {
    const evidence = createChainEvidence(chain.client, chain.network);
    const found = await evidence.find({ ...(await paid()), searchFrom: undefined });
    assert.equal(found.verdict, 'settled');
  });

  it('says nothing of payments on another network or of another token, and asks nobody', async () => {
    const nobody = createChainClient({ rpcUrl: 'http://127.0.0.1:1' });
    const evidence = createChainEvidence(nobody, chain.network);
    const question = { ...(await paid()), searchFrom: new Date(0) };
    assert.deepEqual(await evidence.find({ ...question, network: 'eip155:8453' }), { verdict: 'unknown' });
    assert.deepEqual(await evidence.find({ ...question, asset: chain.buyer.address }), { verdict: 'unknown' });
  });

  it('says nothing of a used nonce whose transfer is older than what was searched', async () => {
    const evidence = createChainEvidence(chain.client, chain.network);
    const question = await paid();
    await chain.warp(3_600);
    const searchFrom = new Date(Number(chain.now()) * 1000 - 1_800_000);
    assert.deepEqual(await evidence.find({ ...question, validBefore: 2n ** 256n - 1n, searchFrom }), {
      verdict: 'unknown',
    });
  });

  it('finds one of 50 minutes ago, in one of several blocks of the same second', async () => {
    const evidence = createChainEvidence(chain.client, chain.network);
    await chain.ask('anvil_setBlockTimestampInterval', [0]);
    await chain.mineBlocks(2);
    const question = await paid();
    await chain.mineBlocks(2);
    await chain.ask('anvil_removeBlockTimestampInterval');
    await chain.ask('anvil_mine', ['0xfa', '0xc']);
    const found = await evidence.find({ ...question, searchFrom: undefined });
    assert.ok(found.verdict === 'settled');
    const timeOf = async (blockNumber: bigint) => (await chain.client.getBlock({ blockNumber })).timestamp;
    assert.equal(await timeOf(found.blockNumber - 2n), await timeOf(found.blockNumber + 2n));
  });
});
