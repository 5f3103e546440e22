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
const standing: Readonly<Record<string, Fate>> = {
  eth_getBlockByNumber: result({
    ...{ number: '0x1', timestamp: numberToHex(Math.floor(Date.now() / 1_000) - 3_600), baseFeePerGas: '0x7' },
    ...{ gasLimit: '0x1c9c380', gasUsed: '0x0', hash: `0x${'0'.repeat(64)}`, transactions: [] },
  }),
  web3_clientVersion: result('geth/v1'),
};

/** Outages by what the node answers, which may be so from the start of the service on. */
export const answers: readonly (Omit<Outage, 'begin' | 'end'> & { readonly decide: (method: string) => Fate })[] = [
  {
    what: 'the node answers 429',
    id: 'chain.reach',
    decide: () => reply((response) => response.writeHead(429).end('{}')),
  },
  {
    what: 'the node answers with a page',
    id: 'chain.reach',
    decide: () => reply((response) => response.end('<html>')),
  },
  { what: 'the node is gone', id: 'chain.reach', decide: () => 'lost_request' },
  { what: 'the head of the node stands', id: 'chain.head', decide: (method) => standing[method] ?? 'answered' },
  {
    what: 'the node is on another chain, by the minute',
    id: 'chain.identity',
    decide: (method) => (method === 'eth_chainId' ? result('0x1') : 'answered'),
    withinMs: 60_000,
  },
  {
    what: 'the relayer has no gas',
    id: 'relayer.gas',
    decide: (method) => (method === 'eth_getBalance' ? result('0x0') : 'answered'),
  },
];

/** Outages of the node, of the relayer's money and of the token. */
export const outagesOfNodes: readonly Outage[] = [
  ...answers.map((each) => ({ ...each, begin: ({ decide }: Shop) => decide(each.decide), end: heal })),
  {
    what: 'the relayer spends its gas',
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
