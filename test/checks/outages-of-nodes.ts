import type { ServerResponse } from 'node:http';
import { numberToHex } from 'viem';
import type { Fate } from '../payments/settlement/flaky-node.js';
import type { Outage, Shop } from './outage-shop.js';

/** A node that answers with this, whatever the chain says. */
export const result = (value: unknown): Fate => ({
  reachesNode: false,
  answer: (response: ServerResponse, id: number) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result: value })),
});
const reply = (answer: (response: ServerResponse) => void): Fate => ({ reachesNode: false, answer });
export const answered = (): Fate => 'answered';
const heal = ({ decide }: Shop) => decide(answered);
const old = numberToHex(Math.floor(Date.now() / 1_000) - 3_600);

/** Outages of the node, of the relayer's money and of the token. */
export const outagesOfNodes: readonly Outage[] = [
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
