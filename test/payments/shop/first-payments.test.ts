import assert from 'node:assert/strict';
import { createAccount, type TestChain } from '../../support/chain.js';
import { deep } from '../../support/depth.js';
import { askPrice, signPayment } from '../../support/pay.js';
import { startSepoliaApp } from '../../support/sepolia-app.js';
import { assertPaid, readAnswer, type Answer } from '../answer.js';
import { startFlakyNode, withoutWaiting, type Fate, type FlakyNode } from '../settlement/flaky-node.js';

const path = '/api/deals';
const buyer = createAccount();
/** More than one shared transaction carries. */
const atOnce = deep(99, 40);

/** The service as configured for a public network, started with an empty ledger, behind a node of a kind. */
async function serve(
  decide: (method: string) => Fate,
  { blockMs = 0, environment = {} }: { blockMs?: number; environment?: Readonly<Record<string, string>> },
  use: (service: { chain: TestChain; pay: () => Promise<Answer> }) => Promise<void>,
): Promise<void> {
  let node: FlakyNode | undefined;
  const service = await startSepoliaApp('https://deals.example', {
    environment,
    nodeBefore: async (rpcUrl) => (node = await startFlakyNode(rpcUrl, decide)).rpcUrl,
  });
  const { app, chain } = service;
  await chain.fund(buyer.address, 10_000_000n);
  if (blockMs > 0) await chain.ask('evm_setAutomine', [false]);
  const stopMining = blockMs > 0 ? chain.mineEvery(blockMs) : undefined;
  const url = app.url + path;
  const challenge = await askPrice(url);
  const pay = async (): Promise<Answer> => {
    const header = await signPayment(challenge, { signer: buyer });
    return readAnswer(await fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } }));
  };
  try {
    await use({ chain, pay });
  } finally {
    stopMining?.();
    await service.stop();
    await node?.stop();
  }
}

describe('the first payments after a start with an empty ledger', () => {
  const kinds: readonly (readonly [string, Parameters<typeof serve>[0], Parameters<typeof serve>[1]])[] = [
    ['a node without eth_sendRawTransactionSync', withoutWaiting, { blockMs: 200 }],
    ['blocks of 2 s and CONFIRMATIONS=2', () => 'answered', { blockMs: 2_000, environment: { CONFIRMATIONS: '2' } }],
    ['an ordinary node', () => 'answered', {}],
  ];

  for (const [kind, decide, how] of kinds) {
    it(`are all settled, one alone and ${atOnce} at once, on ${kind}`, async () => {
      await serve(decide, how, async ({ pay }) => {
        assertPaid(await pay());
        const answers = await Promise.all(Array.from({ length: atOnce }, pay));
        for (const answer of answers) assertPaid(answer);
      });
    });
  }

  it('are settled, and charged once, where the node takes a transaction and answers an error', async () => {
    const body = { error: { code: -32000, message: 'gateway timeout' } };
    const timeout: Fate = {
      reachesNode: true,
      answer: (response, id) =>
        void response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id, ...body })),
    };
    const decide = (method: string): Fate => (method.startsWith('eth_sendRawTransaction') ? timeout : 'answered');
    await serve(decide, {}, async ({ chain, pay }) => {
      const before = await chain.balanceOf(buyer.address);
      assertPaid(await pay());
      assert.equal(before - (await chain.balanceOf(buyer.address)), 50_000n);
    });
  });
});
