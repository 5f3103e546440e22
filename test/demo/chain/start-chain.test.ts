import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChainClient } from '../../../src/payments/chain/clients.js';
import { findNetwork, multicall3Address } from '../../../src/wire/networks.js';
import { tokenAbi } from '../../../src/payments/chain/token-abi.js';
import { buyer, payTo } from '../../../src/demo/chain/accounts.js';
import { askNode } from '../../../src/demo/chain/anvil-node.js';
import { makeChainState } from '../../support/contracts/make-chain-state.js';
import { startChain, type LocalChain } from '../../../src/demo/chain/start-chain.js';
import { findProjectFile } from '../../../src/project-file.js';

const silent = { info: () => undefined, warn: () => undefined };
const token = findNetwork('eip155:31337')?.asset ?? assert.fail();

const balanceOf = (chain: LocalChain, address: `0x${string}`): Promise<bigint> =>
  createChainClient(chain).readContract({ address: token, abi: tokenAbi, functionName: 'balanceOf', args: [address] });

async function mineSomething(chain: LocalChain): Promise<bigint> {
  await askNode(Number(new URL(chain.rpcUrl).port), 'anvil_mine', ['0x1']);
  return createChainClient(chain).getBlockNumber();
}

async function pidOf(directory: string): Promise<number> {
  const record: { pid: number } = JSON.parse(await readFile(join(directory, 'process.json'), 'utf8'));
  return record.pid;
}

describe('startChain', () => {
  let directory: string;
  let started: LocalChain[] = [];

  const start = async (options: Partial<Parameters<typeof startChain>[0]> = {}): Promise<LocalChain> => {
    const chain = await startChain({ directory, log: silent, ...options });
    started.push(chain);
    return chain;
  };

  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'chain-test-'))));
  afterEach(async () => {
    for (const chain of started) await chain.stop();
    started = [];
    await rm(directory, { recursive: true });
  });

  it('starts a chain 31337 with a funded buyer and Multicall3', async () => {
    const chain = await start();
    const client = createChainClient(chain);
    assert.equal(await client.getChainId(), 31337);
    assert.equal(await balanceOf(chain, buyer.address), 1_000_000_000_000n);
    assert.equal(await balanceOf(chain, payTo.address), 0n);
    assert.ok(await client.getCode({ address: multicall3Address }));
    assert.match(chain.rpcUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('restarts with its blocks and the name of its history', async () => {
    const first = await start({ newInstanceId: 'history-1' });
    const height = await mineSomething(first);
    await first.stop();
    const second = await start({ newInstanceId: 'history-2' });
    assert.equal(await createChainClient(second).getBlockNumber(), height);
    assert.equal(second.instanceId, 'history-1');
  });

  it('takes over the node that a killed process left running', async () => {
    const module = findProjectFile('dist/src/demo/chain/start-chain.js');
    const script = `
      const { startChain } = await import(${JSON.stringify(module)});
      const log = { info() {}, warn() {} };
      const chain = await startChain({ directory: ${JSON.stringify(directory)}, log });
      process.stdout.write(chain.rpcUrl);
      setInterval(() => undefined, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    const pid = await pidOf(directory);

    const chain = await start({ anvilBin: '/nowhere/anvil' });
    assert.equal(chain.rpcUrl, output.toString());
    assert.equal(await pidOf(directory), pid);
    assert.equal(await createChainClient(chain).getChainId(), 31337);
  });

  it('takes over a node whose parent died after writing only the process id', async () => {
    const first = await start();
    await writeFile(join(directory, 'process.json'), JSON.stringify({ pid: await pidOf(directory) }));
    const second = await start();
    assert.equal(second.rpcUrl, first.rpcUrl);
  });

  it('does not take over a process that is not its node', async () => {
    const first = await start();
    const record = { pid: await pidOf(directory), port: 1, nodeId: '0xother' };
    await first.stop();
    await writeFile(join(directory, 'process.json'), JSON.stringify({ ...record, pid: process.pid }));
    const second = await start();
    assert.notEqual(await pidOf(directory), process.pid);
    assert.equal(await createChainClient(second).getChainId(), 31337);
  });

  it('starts again from the saved state when the node itself was killed', async () => {
    const first = await start();
    const height = await mineSomething(first);
    await first.stop();
    const second = await start();
    process.kill(await pidOf(directory), 'SIGKILL');
    await second.stop();
    const third = await start();
    assert.equal(await createChainClient(third).getBlockNumber(), height);
    assert.equal(third.instanceId, first.instanceId);
  });

  it('sets an unreadable state aside and starts a new history under a new name', async () => {
    const first = await start();
    await first.stop();
    await writeFile(join(directory, 'state.json'), '{"block":');
    const warnings: string[] = [];
    const second = await start({
      log: { ...silent, warn: (_: unknown, message?: string) => warnings.push(message ?? '') },
    });
    assert.notEqual(second.instanceId, first.instanceId);
    assert.equal(await balanceOf(second, buyer.address), 1_000_000_000_000n);
    assert.match(warnings.join(), /unreadable/);
    assert.equal(await readFile(join(directory, 'state.json.broken'), 'utf8'), '{"block":');
  });

  it('says what to do when the configured anvil does not run', async () => {
    await assert.rejects(start({ anvilBin: '/nowhere/anvil' }), { code: 'anvil_unavailable', message: /ANVIL_BIN/ });
    await assert.rejects(start({ anvilBin: process.execPath }), { code: 'anvil_unavailable', message: /is not anvil/ });
  });

  it('gives the reason when a node does not start', async () => {
    const first = await start();
    const elsewhere = join(directory, 'second');
    const port = Number(new URL(first.rpcUrl).port);
    await assert.rejects(start({ directory: elsewhere, port }), /did not start: .*(in use|bind)/is);
  });
});

describe('makeChainState', () => {
  it('produces the committed token and Multicall3', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'chain-test-'));
    const target = join(directory, 'state.json');
    await makeChainState(target);
    type State = { accounts: Record<string, object> };
    const made: State = JSON.parse(await readFile(target, 'utf8'));
    const committed: State = JSON.parse(await readFile(findProjectFile('src/demo/chain/chain-state.json'), 'utf8'));
    await rm(directory, { recursive: true });
    for (const address of [token, multicall3Address]) {
      const [fresh, kept] = [made, committed].map((state) => state.accounts[address.toLowerCase()]);
      assert.ok(kept);
      assert.deepEqual(fresh, kept, 'Run: npx tsx test/support/contracts/make-chain-state.ts');
    }
  });
});
