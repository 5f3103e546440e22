import assert from 'node:assert/strict';
import { createAuthorizationVerifier } from '../../../src/payments/chain/eip3009.js';
import { createChainEvidence } from '../../../src/payments/settlement/chain-evidence.js';
import { createTransferSettler } from '../../../src/payments/settlement/relayer/settle-transfer.js';
import type { Sent } from '../../../src/payments/settlement/relayer/follow-kept.js';
import type { SettlementWindow } from '../../../src/payments/settlement/relayer/settlement-window.js';
import type { EvidenceQuestion } from '../../../src/payments/settlement/resolve-open-payment.js';
import { cadences, createLongChain, type LongChain, type Payment } from './long-chain.js';

const minute = 60_000;
const secondsAt = (ms: number): bigint => BigInt(Math.floor(ms / 1000));
const evidenceOf = (chain: LongChain) => createChainEvidence(chain.connect(), chain.network);

function questionOf(chain: LongChain, { payer, nonce, amount }: Payment, fields: Partial<EvidenceQuestion> = {}) {
  const { network, payTo, headMs } = chain;
  const key = { network: network.id, asset: network.asset, payer, nonce };
  return { ...key, payTo, amount, validBefore: secondsAt(headMs) + 60n, searchFrom: undefined, ...fields };
}

for (const blockMs of cadences)
  describe(`the search for a payment on a chain with a block each ${blockMs} ms`, () => {
    for (const minutes of [4, 10, 50]) {
      it(`finds one of ${minutes} minutes ago that the ledger does not know`, async () => {
        const chain = createLongChain({ blockMs });
        const payment = chain.pay(minutes * minute);
        const { transaction, block: blockNumber } = payment;
        const settled = { verdict: 'settled', transaction, blockNumber };
        const endsSoon = secondsAt(chain.headMs - minutes * minute) + 1n;
        for (const validBefore of [endsSoon, secondsAt(chain.headMs) + 3_600n, 2n ** 256n - 1n])
          assert.deepEqual(await evidenceOf(chain).find(questionOf(chain, payment, { validBefore })), settled);
      });

      it(`finds one of ${minutes} minutes ago that was verified right before`, async () => {
        const chain = createLongChain({ blockMs });
        const payment = chain.pay(minutes * minute);
        const searchFrom = new Date(chain.headMs - minutes * minute - 1_000);
        const found = await evidenceOf(chain).find(questionOf(chain, payment, { searchFrom }));
        assert.equal(found.verdict, 'settled');
      });
    }

    it('proves nothing of one that was made before the time that is searched', async () => {
      const chain = createLongChain({ blockMs });
      const payment = chain.pay(180 * minute);
      const unknown = { verdict: 'unknown' };
      for (const validBefore of [0n, secondsAt(chain.headMs), 2n ** 256n - 1n])
        assert.deepEqual(await evidenceOf(chain).find(questionOf(chain, payment, { validBefore })), unknown);
      const searchFrom = new Date(chain.headMs - 150 * minute);
      assert.deepEqual(await evidenceOf(chain).find(questionOf(chain, payment, { searchFrom })), unknown);
    });

    it('costs a buyer 40 calls at most, also of a process that has asked nothing yet', async () => {
      const chain = createLongChain({ blockMs });
      const [found, old] = [chain.pay(119 * minute), chain.pay(180 * minute)];
      for (const payment of [found, old])
        for (const agoMs of [0, 1_000, 7 * minute, 55 * minute]) {
          chain.countCalls();
          const validBefore = secondsAt(chain.headMs - agoMs);
          await evidenceOf(chain).find(questionOf(chain, payment, { validBefore }));
          const calls = chain.countCalls();
          assert.ok(calls <= 40, `${calls} calls`);
        }
    });

    it('begins with the newest blocks', async () => {
      const chain = createLongChain({ blockMs, blocksPerCall: 100n });
      const payment = chain.pay(10_000);
      chain.countCalls();
      await evidenceOf(chain).find(questionOf(chain, payment));
      assert.equal(chain.ranges.length, 1);
    });
  });

for (const blockMs of cadences)
  describe(`a settlement that did not pay, on a chain with a block each ${blockMs} ms`, () => {
    /** What it comes to where somebody else has sent the authorization so long ago. */
    async function settle(agoMs: number) {
      const chain = createLongChain({ blockMs });
      const { payer: from, nonce, amount: value, block, transaction } = chain.pay(agoMs);
      const { asset, chainId, domain } = chain.network;
      const settler = createTransferSettler({
        client: chain.connect(),
        asset,
        payTo: chain.payTo,
        verifier: await createAuthorizationVerifier({ ...domain, chainId, verifyingContract: asset }),
        window: windowOf({ relayed: { outcome: 'displaced', blockNumber: block }, items: 1 }),
        simulator: { simulate: () => assert.fail('the nonce is used'), close: () => undefined },
        nowMs: () => performance.now(),
        log: { warn: () => undefined },
        follow: async () => undefined,
        payerCode: {
          hasCode: () => assert.fail('nothing is verified'),
          remember: () => undefined,
          tryAlone: async (_, good) => good,
        },
        timeoutMs: 30_000,
      });
      const [validAfter, validBefore] = [0n, secondsAt(chain.headMs) + 300n];
      const terms = { from, to: chain.payTo, value, nonce, validAfter, validBefore };
      chain.countCalls();
      const outcome = await settler.settle(
        { ...terms, signature: '0x12' },
        {
          operationId: 'listDeals',
          leaseOwner: 'owner',
          resource: '',
          isTakenOver: false,
          mayShare: false,
          gas: undefined,
        },
      );
      const calls = chain.countCalls();
      assert.ok(calls <= 40, `${calls} calls`);
      return { outcome, paid: { outcome: 'settled', transaction, blockNumber: block } };
    }

    for (const minutes of [4, 10, 50])
      it(`is paid where another sent it ${minutes} minutes ago`, async () => {
        const { outcome, paid } = await settle(minutes * minute);
        assert.deepEqual(outcome, paid);
      });

    it('is unknown where another sent it longer ago than any window lasts', async () => {
      assert.equal((await settle(180 * minute)).outcome.outcome, 'unknown');
    });
  });

function windowOf(sent: Sent): SettlementWindow {
  return { send: async () => sent, sendAlone: async () => sent, close: () => undefined };
}

describe('the search for a payment at a node that takes few blocks a call', () => {
  const few = { blockMs: 200, mostBlocks: 500 };

  it('ends after 40 calls, and proves nothing', async () => {
    const chain = createLongChain(few);
    const payment = chain.pay(110 * minute);
    chain.countCalls();
    await assert.rejects(evidenceOf(chain).find(questionOf(chain, payment)), /more calls than it may/);
    const calls = chain.countCalls();
    assert.ok(calls <= 40, `${calls} calls`);
  });

  it('finds the payment where reconciliation asks', async () => {
    const chain = createLongChain(few);
    const payment = chain.pay(110 * minute);
    const [found] = await evidenceOf(chain).findMany([questionOf(chain, payment)]);
    assert.equal(found?.verdict, 'settled');
  });
});
