import type { ServerResponse } from 'node:http';
import { numberToHex } from 'viem';
import type { Fate } from '../payments/settlement/flaky-node.js';
import { startTestChain } from '../support/chain.js';
import { faults, startMockFacilitator, type MockFacilitator } from '../support/mock-facilitator.js';
import { assertNotReady, assertReady, assertSurvives, openShop, type Outage, type Shop } from './outage-shop.js';

const result = (value: unknown): Fate => ({
  reachesNode: false,
  answer: (response: ServerResponse, id: number) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result: value })),
});
const reply = (answer: (response: ServerResponse) => void): Fate => ({ reachesNode: false, answer });
const answered = (): Fate => 'answered';
const heal = ({ decide }: Shop) => decide(answered);
const old = numberToHex(Math.floor(Date.now() / 1_000) - 3_600);

const ofNodes: readonly Outage[] = [
  {
    what: 'the node answers 429',
    id: 'chain.reach',
    begin: ({ decide }) => decide(() => reply((response) => response.writeHead(429).end('{}'))),
    end: heal,
  },
  {
    what: 'the node answers with a page',
    id: 'chain.reach',
    begin: ({ decide }) => decide(() => reply((response) => response.end('<html>'))),
    end: heal,
  },
  { what: 'the node is gone', id: 'chain.reach', begin: ({ decide }) => decide(() => 'lost_request'), end: heal },
  {
    what: 'the head of the node stands',
    id: 'chain.head',
    async begin({ decide, chain }) {
      const block = await chain.ask<object>('eth_getBlockByNumber', ['latest', false]);
      const answers: Readonly<Record<string, Fate>> = {
        eth_getBlockByNumber: result({ ...block, timestamp: old }),
        web3_clientVersion: result('geth/v1'),
      };
      decide((method) => answers[method] ?? 'answered');
    },
    end: heal,
  },
  {
    what: 'the node is on another chain, by the minute',
    id: 'chain.identity',
    begin: ({ decide }) => decide((method) => (method === 'eth_chainId' ? result('0x1') : 'answered')),
    end: heal,
    withinMs: 60_000,
  },
  {
    what: 'the relayer has no gas',
    id: 'relayer.gas',
    begin: ({ chain, relayer }) => chain.ask('anvil_setBalance', [relayer, '0x0']),
    end: ({ chain, relayer }) => chain.ask('anvil_setBalance', [relayer, '0xde0b6b3a7640000']),
  },
  {
    what: 'the token is paused, by the minute',
    id: 'chain.token',
    begin: ({ chain }) => chain.setPaused(true),
    end: ({ chain }) => chain.setPaused(false),
    withinMs: 60_000,
  },
];

describe('a service asks nobody for money while it could not sell, and says so by its checks', function () {
  // A pure limit: chains and databases are started.
  this.timeout(120_000);

  describe('while it runs', () => {
    let shop: Shop;
    before(async () => (shop = await openShop()));
    after(() => shop?.stop());
    for (const outage of ofNodes) it(outage.what, () => assertSurvives(shop, outage));
  });

  describe('from its start', () => {
    for (const { what, id, decide } of [
      { what: 'the node is gone', id: 'chain.reach', decide: (): Fate => 'lost_request' },
      {
        what: 'the relayer has no gas',
        id: 'relayer.gas',
        decide: (method: string): Fate => (method === 'eth_getBalance' ? result('0x0') : 'answered'),
      },
    ])
      it(what, async () => {
        const shop = await openShop({}, { decide, isSold: false });
        try {
          await assertNotReady(shop, id, await shop.get('/readyz'));
          shop.decide(answered);
          await shop.step();
          await assertReady(shop);
        } finally {
          await shop.stop();
        }
      });
  });

  describe('with a facilitator', () => {
    let facilitator: MockFacilitator;
    let shop: Shop;
    before(async () => {
      // Its own chain: nothing is sold through it here.
      const chain = await startTestChain(84532);
      facilitator = await startMockFacilitator(chain).finally(() => chain.stop());
      const environment = { FACILITATOR_URL: facilitator.url, RELAYER_PRIVATE_KEYS: '' };
      shop = await openShop(environment, { isSold: false });
    });
    after(async () => {
      await shop?.stop();
      await facilitator?.stop();
    });
    it('the facilitator is down', async () => {
      const begin = () => void (facilitator.behaviours = { '/supported': faults.fails });
      const end = () => void (facilitator.behaviours = {});
      await assertSurvives(shop, { what: '', id: 'facilitator.reach', begin, end }, false);
    });
  });
});
