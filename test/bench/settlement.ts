import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { TestAccount } from '../../src/payments/chain/well-known-accounts.js';
import { attachTestChain, type TestChain } from '../support/chain.js';
import { askPrice, signPayment } from '../support/pay.js';
import { startRemote, type RemoteServer } from './load.js';
import { atLeast, atMost, type Report } from './report.js';

const path = '/api/deals?limit=50';

interface Setup {
  readonly what: string;
  readonly kind: 'ours on a chain' | 'official on a chain';
  /** The buyers have bought on an earlier day. */
  readonly isKnown?: boolean;
  /** The node does not answer with receipts. */
  readonly isPlainNode?: boolean;
  readonly blockMs: number;
  readonly payments: number;
  /** Buyers at once. */
  readonly buyers: number;
}

interface Outcome {
  readonly sold: number;
  readonly failed: number;
  readonly seconds: number;
  readonly gasPerPayment: number;
  readonly rpcCallsPerPayment: number;
  readonly latenciesMs: readonly number[];
}

/**
 * Measures paid calls that are really settled, on a local chain that mines at a given pace: this service for known
 * payers, who share transactions, and for newcomers, who do not, beside the official middleware with the official
 * facilitator in its own process; and one buyer alone.
 */
export async function measureSettlement(report: Report): Promise<void> {
  // Each as many as serve it best: with more, most payments of the official server fail.
  const ours = { kind: 'ours on a chain', buyers: 160 } as const;
  const official = { kind: 'official on a chain', buyers: 8 } as const;
  const one = { ...ours, buyers: 1, blockMs: 200, payments: 50 } as const;
  const setups: readonly Setup[] = [
    { ...one, what: 'one buyer, 200 ms blocks' },
    { ...one, what: 'the same without receipts', isPlainNode: true },
    { ...ours, what: 'known payers, 200 ms blocks', isKnown: true, blockMs: 200, payments: 1_600 },
    { ...ours, what: 'newcomers, 200 ms blocks', blockMs: 200, payments: 800 },
    { ...official, what: '@x402/express, 200 ms blocks', blockMs: 200, payments: 80 },
    { ...ours, what: 'known payers, 2 s blocks', isKnown: true, blockMs: 2_000, payments: 800 },
    { ...ours, what: 'newcomers, 2 s blocks', blockMs: 2_000, payments: 400 },
    { ...official, what: '@x402/express, 2 s blocks', blockMs: 2_000, payments: 32 },
  ];
  report.title('settled on a local chain');
  const perSecond = new Map<string, number>();
  for (const { what, ...setup } of setups) {
    report.progress(what);
    const { sold, failed, seconds, latenciesMs, ...outcome } = await run({ what, ...setup });
    const sorted = [...latenciesMs].sort((one, other) => one - other);
    const quantile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
    perSecond.set(what, sold / seconds);
    // Alone, a buyer waits for the next block; where many buy at once, the two cores are the limit.
    const isAlone = setup.buyers === 1 && setup.isPlainNode !== true;
    report.figure({ name: `${what}: settled`, value: sold / seconds, unit: `/s of ${sold}, ${failed} failed` });
    report.figure({ name: `${what}: gas`, value: outcome.gasPerPayment, unit: 'a payment' });
    report.figure({ name: `${what}: node`, value: outcome.rpcCallsPerPayment, unit: 'calls a payment' });
    const [p50, p99] = [0.5, 0.99].map(quantile) as [number, number];
    const name = `${what}: answered`;
    report.figure({
      name: `${name}, p50`,
      value: p50,
      unit: 'ms',
      ...(isAlone && { goal: atMost(setup.blockMs + 5) }),
    });
    report.figure({
      name: `${name}, p99`,
      value: p99,
      unit: 'ms',
      ...(isAlone && { goal: atMost(2 * setup.blockMs + 50) }),
    });
  }
  for (const pace of ['200 ms blocks', '2 s blocks']) {
    const ratio = (perSecond.get(`known payers, ${pace}`) ?? NaN) / (perSecond.get(`@x402/express, ${pace}`) ?? NaN);
    report.figure({ name: `known payers against @x402/express, ${pace}`, value: ratio, unit: 'x', goal: atLeast(15) });
  }
}

async function run({ kind, isKnown, isPlainNode, blockMs, payments, buyers }: Setup): Promise<Outcome> {
  const server = await startRemote(kind, [{ id: 1 }], { BENCH_PLAIN_NODE: isPlainNode ? 'yes' : 'no' });
  if (server.rpcUrl === undefined) throw new Error(`${kind} has no chain`);
  const chain = attachTestChain(server.rpcUrl);
  const accounts = Array.from({ length: buyers }, createAccount);
  for (const { address } of accounts) await chain.fund(address, 1_000_000_000n);
  const challenge = await askPrice(server.url + path);
  const signatures: string[] = [];
  for (let index = 0; index < payments + buyers; index++)
    signatures.push(await signPayment(challenge, { signer: accounts[index % buyers] as TestAccount }));
  await chain.ask('evm_setAutomine', [false]);
  const stopMining = mineEvery(blockMs, chain);
  // Without receipts the relayer asks as often as the cadence of the last minute says.
  if (isPlainNode) await setTimeout(65_000);
  await payAll(server, signatures.splice(0, buyers), buyers);
  if (isKnown) await server.age();
  const [calls, firstBlock] = [await server.rpcCalls(), await chain.client.getBlockNumber()];
  const paid = await payAll(server, signatures, buyers);
  const rpcCalls = (await server.rpcCalls()) - calls;
  await stopMining();
  const gas = await gasSince(chain, firstBlock);
  await server.stop();
  return { ...paid, gasPerPayment: gas / paid.sold, rpcCallsPerPayment: rpcCalls / paid.sold };
}

function createAccount(): TestAccount {
  const privateKey = generatePrivateKey();
  return { privateKey, address: privateKeyToAccount(privateKey).address };
}

/** Mines a block whenever the time has come, as a chain with that block time would. */
function mineEvery(blockMs: number, chain: TestChain): () => Promise<void> {
  let mining: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    mining = mining.then(() => chain.ask('evm_mine'));
  }, blockMs);
  return async () => {
    clearInterval(timer);
    await mining;
  };
}

async function payAll(server: RemoteServer, signatures: readonly string[], buyers: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: buyers });
  const latenciesMs: number[] = [];
  let [next, failed] = [0, 0];
  const startedAt = performance.now();
  const buyer = async () => {
    for (let index = next++; index < signatures.length; index = next++) {
      const sentAt = performance.now();
      const status = await pay(server.url + path, signatures[index] ?? '', agent);
      if (status === 200) latenciesMs.push(performance.now() - sentAt);
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: buyers }, buyer));
  agent.destroy();
  return { sold: latenciesMs.length, failed, seconds: (performance.now() - startedAt) / 1000, latenciesMs };
}

function pay(url: string, signature: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { 'PAYMENT-SIGNATURE': signature } }, (reply) => {
      reply.resume();
      reply.on('end', () => resolve(reply.statusCode));
    })
      .on('error', reject)
      .end();
  });
}

async function gasSince(chain: TestChain, block: bigint): Promise<number> {
  const last = await chain.client.getBlockNumber();
  let gas = 0n;
  for (let number = block + 1n; number <= last; number++)
    gas += (await chain.client.getBlock({ blockNumber: number })).gasUsed;
  return Number(gas);
}
