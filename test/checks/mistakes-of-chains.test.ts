import assert from 'node:assert/strict';
import { numberToHex } from 'viem';
import type { ServerResponse } from 'node:http';
import { createChainClient } from '../../src/payments/chain/clients.js';
import { findNetwork } from '../../src/wire/networks.js';
import { startTestChain, type TestChain } from '../support/chain.js';
import { startFlakyNode, type Fate } from '../payments/settlement/flaky-node.js';
import { judgeConfig } from '../../src/config/config.js';
import type { CheckPorts } from '../../src/operator/checks/check.js';
import { checks } from '../../src/operator/checks/checks.js';
import { lookOnce } from '../../src/operator/checks/look-at-all.js';
import { production } from '../support/read-settings.js';
import { find, payTo } from './look.js';

const relayer = '0x00000000000000000000000000000000005e77e0';
const network = findNetwork('eip155:84532') ?? assert.fail();
const unreachable = 'Look at its status and at the limits of its plan, or set another RPC_URL.';
const otherNode = 'Use another RPC_URL.';

describe('a node that lags, refuses or lies is told in a sentence, with its cure', function () {
  // A pure limit: the chain starts once.
  this.timeout(60_000);
  let chain: TestChain;
  before(async () => {
    chain = await startTestChain(84532);
    await chain.ask('anvil_setBalance', [relayer, numberToHex(10n ** 18n)]);
  });
  after(() => chain.stop());

  /** What a check finds of the chain behind a line on which `decide` answers. */
  async function findBehind(id: string, decide: Parameters<typeof startFlakyNode>[1], environment = {}) {
    const node = await startFlakyNode(chain.rpcUrl, decide);
    const client = createChainClient({ rpcUrl: node.rpcUrl });
    try {
      const checked = { client, network, payTo, relayers: [relayer] } as const;
      return await find(id, { NETWORK: network.id, ...environment }, { chain: checked });
    } finally {
      await node.stop();
    }
  }
  const answer = (reply: (response: ServerResponse, id: number) => void) => ({ reachesNode: false, answer: reply });
  const result = (value: unknown) =>
    answer((response, id) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result: value })),
    );
  /** Answers one method by itself. */
  const only =
    (asked: string, fate: Fate) =>
    (method: string): Fate =>
      method === asked ? fate : 'answered';

  it('chain.reach: 429, HTML in a 200, and no answer', async () => {
    const limited = await findBehind('chain.reach', () => answer((response) => response.writeHead(429).end('{}')));
    assert.deepEqual(limited, {
      sentence: 'The node in RPC_URL does not answer: HTTP request failed. Too Many Requests',
      cure: unreachable,
    });
    const html = await findBehind('chain.reach', () => answer((response) => response.end('<html>key</html>')));
    assert.match(html?.sentence ?? '', /^The node in RPC_URL does not answer: /);
    const lost = await findBehind('chain.reach', () => 'lost_request');
    assert.equal(lost?.sentence, 'The node in RPC_URL does not answer: HTTP request failed. fetch failed');
    assert.equal(await findBehind('chain.reach', () => 'answered'), undefined);
  });

  it('chain.identity: another chain, and a development node where money is real', async () => {
    assert.deepEqual(await findBehind('chain.identity', only('eth_chainId', result('0x1'))), {
      sentence: 'RPC_URL speaks for chain 1, but NETWORK is eip155:84532.',
      cure: 'Make RPC_URL and NETWORK agree.',
    });
    assert.equal(await findBehind('chain.identity', () => 'answered'), undefined);
    const node = await startFlakyNode(
      chain.rpcUrl,
      (method) => ({ eth_chainId: result('0x2105'), web3_clientVersion: result('anvil/v1.0') })[method] ?? 'answered',
    );
    const base = findNetwork('eip155:8453') ?? assert.fail();
    const client = createChainClient({ rpcUrl: node.rpcUrl });
    assert.deepEqual(await find('chain.identity', {}, { chain: { client, network: base, payTo, relayers: [] } }), {
      sentence: 'RPC_URL is a development node (anvil/v1.0) that calls itself Base.',
      cure: 'Set an RPC_URL of Base.',
    });
    await node.stop();
  });

  it('chain.token: not there, paused, or not for PAY_TO or a relayer', async () => {
    assert.deepEqual(await findBehind('chain.token', only('eth_getCode', result('0x'))), {
      sentence: `The token is not at ${network.asset} on Base Sepolia.`,
      cure: 'Check RPC_URL.',
    });
    const yes = `0x${'0'.repeat(63)}1`;
    assert.deepEqual(await findBehind('chain.token', only('eth_call', result(yes))), {
      sentence: 'USDC is paused by its issuer.',
      cure: 'Wait until it is resumed.',
    });
    let calls = 0;
    const second = (method: string): Fate =>
      method === 'eth_call' ? result(++calls === 1 ? `0x${'0'.repeat(64)}` : yes) : 'answered';
    assert.deepEqual(await findBehind('chain.token', second), {
      sentence: `${payTo} is on the blacklist of USDC.`,
      cure: 'Use another account.',
    });
    assert.equal(await findBehind('chain.token', () => 'answered'), undefined);
  });

  it('chain.head: a node that has fallen behind, and not one that mines on demand', async () => {
    const old = await chain.ask<object>('eth_getBlockByNumber', ['latest', false]);
    const timestamp = numberToHex(Math.floor(Date.now() / 1_000) - 61);
    const lags = { eth_getBlockByNumber: result({ ...old, number: '0x7', timestamp }) };
    const found = await findBehind(
      'chain.head',
      (method) => ({ ...lags, web3_clientVersion: result('geth/v1') })[method] ?? 'answered',
    );
    assert.match(
      found?.sentence ?? '',
      /^The newest block of Base Sepolia that the node has, 7, is 6[0-9] seconds old\.$/,
    );
    assert.equal(found?.cure, 'Use a node that follows its chain: set another RPC_URL.');
    assert.equal(await findBehind('chain.head', (method) => ({ ...lags })[method] ?? 'answered'), undefined);
  });

  it('machine.clock: another time than that of the newest block, which may be old where the database agrees', async () => {
    const now = () => new Date(1_800_000_000_000);
    async function findAt(offSeconds: number, changes: Partial<CheckPorts>, version = 'geth/v1') {
      const block = { number: '0x7', timestamp: numberToHex(1_800_000_000 - offSeconds) };
      const answers = { eth_getBlockByNumber: result(block), web3_clientVersion: result(version) };
      const node = await startFlakyNode('', (method) => answers[method as keyof typeof answers]);
      const chain = { client: createChainClient({ rpcUrl: node.rpcUrl }), network, payTo, relayers: [] } as const;
      try {
        return (await find('machine.clock', {}, { chain, now, ...changes }))?.sentence.split('.')[0];
      } finally {
        await node.stop();
      }
    }
    const agreeing = { clockFault: () => undefined };
    const off = (how: string) => `The clock of this machine is ${how} that of the newest block`;
    const away = { readFacts: () => Promise.reject(new Error('away')) };
    for (const changes of [agreeing, away]) {
      assert.equal(await findAt(-40, changes), off('40 seconds behind'));
      assert.equal(await findAt(4, changes), undefined);
      assert.equal(await findAt(-40, changes, 'anvil/v1'), undefined);
    }
    assert.equal(await findAt(10, agreeing), undefined);
    assert.equal(await findAt(10, away), off('10 seconds ahead of'));
    const isAhead = { sentence: 'It is ahead.', isAhead: true, isWrong: true };
    assert.equal(await findAt(10, { clockFault: () => isAhead }), 'It is ahead');
  });

  it('chain.methods: no finalized block, fewer logs at once, and no wait for receipts', async () => {
    const blocks = (method: string): Fate => (method === 'eth_getBlockByNumber' ? 'unknown_method' : 'answered');
    assert.deepEqual(await findBehind('chain.methods', blocks), {
      sentence: 'The node knows no finalized block: the audit cannot run.',
      cure: otherNode,
    });
    assert.deepEqual(await findBehind('chain.methods', only('eth_getLogs', 'unknown_method')), {
      sentence: 'The node does not read the logs of 2000 blocks at once: the audit cannot run.',
      cure: 'Set a smaller RPC_BLOCKS_PER_CALL.',
    });
    assert.deepEqual(await findBehind('chain.methods', only('eth_sendRawTransactionSync', 'unknown_method')), {
      sentence: 'The node has no eth_sendRawTransactionSync: sales take up to a block longer.',
      cure: otherNode,
    });
    assert.equal(await findBehind('chain.methods', () => 'answered'), undefined);
  });

  /** A block each 12 s, the last of which are not final. */
  const slowBlocks =
    (notFinal = 65) =>
    (method: string, [asked]: readonly unknown[]): Fate => {
      if (method !== 'eth_getBlockByNumber') return 'answered';
      const head = 1_000;
      const number = asked === 'latest' ? head : asked === 'finalized' ? head - notFinal : Number(asked);
      const fees = { baseFeePerGas: numberToHex(6_000_000), gasLimit: numberToHex(400_000_000) };
      return result({ number: numberToHex(number), timestamp: numberToHex(1_800_000_000 + 12 * number), ...fees });
    };

  it('chain.pace: blocks that are final late', async () => {
    assert.deepEqual(await findBehind('chain.pace', slowBlocks(200)), {
      sentence: 'Blocks of Base Sepolia are final after 2400 seconds: the audit lags as much.',
      cure: 'Use another RPC_URL, if other nodes are faster.',
    });
  });

  it('chain.pace: CONFIRMATIONS that take long', async () => {
    const confirmations = (CONFIRMATIONS: string) => findBehind('chain.pace', slowBlocks(), { CONFIRMATIONS });
    assert.deepEqual(await confirmations('2'), {
      sentence: 'A sale takes 24 seconds: CONFIRMATIONS blocks of 12 seconds each.',
      cure: 'Set fewer CONFIRMATIONS.',
    });
    assert.equal(await confirmations('1'), undefined);
  });

  it('chain.pace: without a finding, its figures', async () => {
    const node = await startFlakyNode(chain.rpcUrl, slowBlocks());
    try {
      const base = findNetwork('eip155:8453') ?? assert.fail();
      const client = createChainClient({ rpcUrl: node.rpcUrl });
      const { config } = judgeConfig({ ...production, PAY_TO: payTo }, { onTerminal: true });
      const ports = { config, chain: { client, network: base, payTo, relayers: [] } } as unknown as CheckPorts;
      const check = checks.find(({ id }) => id === 'chain.pace') ?? assert.fail();
      const { state, ms: _, ...rest } = await lookOnce(check, ports);
      assert.equal(state, 'ok');
      const figures = { blockSeconds: 12, finalityLagSeconds: 780, baseFeeGwei: 0.006, minimumBaseFeeGwei: 0.005 };
      assert.deepEqual(rest, { id: 'chain.pace', severity: 'warn', figures: { ...figures, gasCap: 16_777_216 } });
    } finally {
      await node.stop();
    }
  });

  it('relayer.gas: too little, little, and fees above what is allowed', async () => {
    const poor = await findBehind('relayer.gas', only('eth_getBalance', result('0x1')));
    assert.match(
      `${poor?.sentence} ${poor?.cure}`,
      /^The relayer 0x0{34}5e77e0 has gas for 0 settlements on Base Sepolia\. Send it 0\.[0-9]+ ether or more\.$/,
    );
    assert.equal(await findBehind('relayer.gas', () => 'answered', { RELAYER_LOW_SETTLEMENTS: '150' }), undefined);
    assert.deepEqual(await findBehind('relayer.gas', () => 'answered', { RELAYER_LOW_SETTLEMENTS: '149' }), {
      sentence: 'RELAYER_LOW_SETTLEMENTS (149) is less than what failed transfers may burn in an hour.',
      cure: 'Set RELAYER_LOW_SETTLEMENTS to 150 or more.',
    });
    const block = await chain.ask<object>('eth_getBlockByNumber', ['latest', false]);
    const dear = result({ ...block, baseFeePerGas: numberToHex(10n ** 12n) });
    assert.deepEqual(await findBehind('relayer.gas', only('eth_getBlockByNumber', dear)), {
      sentence: "The network's fees are above RELAYER_MAX_FEE_GWEI (10).",
      cure: 'Wait, or raise RELAYER_MAX_FEE_GWEI.',
    });
  });
});
