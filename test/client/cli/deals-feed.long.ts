import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buyer } from '../../../src/demo/chain/accounts.js';
import { createChainClient } from '../../../src/payments/chain/clients.js';
import { tokenAbi } from '../../../src/payments/chain/token-abi.js';
import { parseUsd } from '../../../src/client/payments/usd.js';
import { findProjectFile } from '../../../src/project-file.js';
import { shareApp, type SharedApp } from '../../support/shared-app.js';

const program = 'dist/bin/deals-feed.js';
const paymentsDirectory = mkdtempSync(join(tmpdir(), 'payments-'));

interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** The command as a separate process, as `npm run buy` starts it. */
function spawnBuy(args: readonly string[], environment: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [findProjectFile(program), ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: paymentsDirectory,
      PAYMENTS_DIR: paymentsDirectory,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function buy(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Finished> {
  const child = spawnBuy(args, environment);
  const [out, error] = [child.stdout, child.stderr].map((stream) =>
    stream.toArray().then((parts) => Buffer.concat(parts).toString()),
  );
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out: (await out) ?? '', error: (await error) ?? '' };
}

describe('deals-feed, against the running service', () => {
  let app: SharedApp;
  const run = (args: readonly string[], environment = {}) => buy(args, { BASE_URL: app.url, ...environment });

  before(async () => {
    app = await shareApp();
  });
  after(async () => {
    rmSync(paymentsDirectory, { recursive: true, force: true });
  });

  /** Atomic units of the buyer on the local chain. */
  async function balance(): Promise<bigint> {
    const client = createChainClient({ rpcUrl: app.selling.localRpcUrl ?? '' });
    const { asset } = app.selling.terms.network;
    return client.readContract({ address: asset, abi: tokenAbi, functionName: 'balanceOf', args: [buyer.address] });
  }

  it('buys a table that fits the terminal, for exactly the price', async () => {
    const before = await balance();
    const { code, out, error } = await run(['deals', '--state', 'OH', '--limit', '5', '--table'], { COLUMNS: '90' });
    assert.equal(code, 0);
    assert.equal(before - (await balance()), 50_000n);
    const lines = out.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^# +Price +Cap .*Score +Status +Address +City/);
    assert.equal(lines.length, 7);
    for (const line of lines) assert.ok([...line].length <= 90, line);
    for (const [index, line] of lines.slice(2).entries()) assert.match(line, new RegExp(`^${index + 1} +\\$[\\d,]+ `));
    assert.match(
      error,
      /^Price: \$0\.05 on local demonstration chain [^]*\nNot shown at 90 columns: [^\n]*\n5 of \d+ records\. --all fetches the rest, free\.\nPaid \$0\.05 on eip155:31337\nTransaction 0x[0-9a-f]{64}\nPayer 0xf39fd6e5\w+\nPayment 0x[0-9a-f]{64}\n$/i,
    );
  });

  it('names a deal of the last list by its row, in another process', async () => {
    await run(['basic-deals', '--state', 'OH', '--limit', '3', '--table']);
    const { code, out, error } = await run(['report', '2', '--dry-run']);
    assert.equal(code, 0, error);
    const { rows } = JSON.parse(readFileSync(join(paymentsDirectory, '.deals-feed', 'last.json'), 'utf8')) as {
      rows: readonly { id: string }[];
    };
    assert.equal((JSON.parse(out) as { request: string }).request, `/api/deals/${rows[1]?.id}/report`);
  });

  it('shows the balance in its wallet, from a node, and none without or where the node cannot tell', async () => {
    const rpcUrl = app.selling.localRpcUrl ?? '';
    const balancesWith = async (environment: object) =>
      (JSON.parse((await run(['wallet'], environment)).out) as { balances: Record<string, unknown>[] }).balances;
    const { id: network, asset } = app.selling.terms.network;
    const [held, ...others] = await balancesWith({ RPC_URL: rpcUrl });
    assert.deepEqual({ ...held, amount: 0, as_of: 0 }, { network, asset, symbol: 'tUSDC', amount: 0, as_of: 0 });
    assert.deepEqual([parseUsd(String(held?.['amount'])), others], [await balance(), []]);
    assert.ok(Math.abs(Date.parse(String(held?.['as_of'])) - Date.now()) < 3_600_000);
    const none = [{ network, asset, symbol: 'tUSDC', amount: null, as_of: null }];
    assert.deepEqual(await balancesWith({}), none);
    assert.deepEqual(await balancesWith({ RPC_URL: app.url }), none);
    const key = { PRIVATE_KEY: buyer.privateKey, RPC_URL: rpcUrl };
    const all = await balancesWith(key);
    assert.deepEqual(
      all.map(({ amount }) => amount === null),
      [true, true, false],
    );
  });

  it('says a balance below the price before anything is signed', async () => {
    const poor = { PRIVATE_KEY: `0x${'1'.repeat(64)}`, RPC_URL: app.selling.localRpcUrl ?? '' };
    const { code, error } = await run(['deals'], poor);
    assert.equal(code, 3);
    assert.match(error, /^Price: \$0\.05 [^\n]*\n0x[0-9A-Fa-f]{40} holds 0\.00 tUSDC there, less than the price\.\n/);
    assert.doesNotMatch((await run(['basic-deals'], { RPC_URL: poor.RPC_URL })).error, /less than/);
  });

  it('pays nothing for the same command in a new process while nothing has changed', async () => {
    const words = ['deals', '--state', 'OH', '--limit', '7'];
    const { out } = await run(words);
    const before = await balance();
    const again = await run(words);
    assert.deepEqual([again.code, again.out, await balance()], [0, out, before]);
    assert.match(again.error, /Free: nothing was paid\./);
  });

  it('writes only the body to standard output when that is not a terminal', async () => {
    const { code, out, error } = await run(['hot-deals']);
    assert.equal(code, 0);
    const deals: unknown = JSON.parse(out);
    assert.ok(Array.isArray(deals) && deals.length > 0);
    assert.match(error, /^Price: \$0\.02[^]*Paid \$0\.02[^]*Transaction 0x/);
  });

  it('buys once and fetches the further pages free with --csv --all', async () => {
    const before = await balance();
    const { code, out, error } = await run(['basic-deals', '--state', 'OH', '--limit', '50', '--csv', '--all']);
    assert.equal(code, 0, error);
    assert.equal(before - (await balance()), 10_000n);
    const { length } = [...app.feeds.deals.current().records].filter(({ state }) => state === 'OH');
    assert.ok(length > 50);
    const [header, ...rows] = out.trimEnd().split('\r\n');
    assert.match(header ?? '', /^id,address,city,state,/);
    assert.equal(rows.length, length);
    assert.equal(new Set(rows.map((row) => row.slice(0, 36))).size, length);
  });

  it('gets the paid reply when the same command runs again after its process was killed', async () => {
    const before = await balance();
    const lossy = await startLossyProxy(app.url);
    const child = spawnBuy(['/api/deals?state=OH&limit=4', '--json'], { BASE_URL: lossy.url });
    await lossy.paid;
    child.kill('SIGKILL');
    await once(child, 'close');
    assert.equal(before - (await balance()), 50_000n);
    lossy.mend();
    const { code, out } = await run(['/api/deals?state=OH&limit=4', '--json'], { BASE_URL: lossy.url });
    await lossy.stop();
    assert.deepEqual([code, (JSON.parse(out) as unknown[]).length], [0, 4]);
    assert.equal(before - (await balance()), 50_000n);
  });

  it('shows the price and charges nothing with --dry-run', async () => {
    const before = await balance();
    const { code, out } = await run(['deals', '--dry-run', '--table']);
    assert.equal(code, 0);
    assert.match(out, /^Price: \$0\.05 [^\n]*\n$/);
    assert.equal(await balance(), before);
  });

  it('ends quietly when its reader closes the pipe, as head does', async () => {
    const child = spawnBuy(['/api/deals', '--all'], { BASE_URL: app.url });
    const complaint = child.stderr.toArray();
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0);
    assert.doesNotMatch(Buffer.concat(await complaint).toString(), /EPIPE|Error|\n {4}at /);
  });

  it('leaves no payment open when its reader closes the pipe', async () => {
    for (const words of [
      ['hot-deals', '--csv'],
      ['basic-deals', '--limit', '20', '--all', '--ndjson'],
    ]) {
      const child = spawnBuy(words, { BASE_URL: app.url });
      child.stderr.resume();
      await once(child.stdout, 'data');
      child.stdout.destroy();
      assert.deepEqual(await once(child, 'close'), [0, null]);
    }
    const { open } = JSON.parse((await run(['wallet'])).out) as { open: readonly unknown[] };
    assert.deepEqual(open, []);
  });

  it('reports that its output cannot be written, and the payment', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [findProjectFile(program), 'deals', '--limit', '3', '--json'], {
      env: {
        PATH: process.env.PATH,
        PAYMENTS_DIR: paymentsDirectory,
        BASE_URL: app.url,
      },
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    const notes = (await child.stderr?.toArray()) ?? [];
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 1);
    assert.match(Buffer.concat(notes).toString(), /Payment 0x[0-9a-f]{64}\n[^]*cannot be written: ENOSPC/);
  });

  it('continues when only its notes are not read', async () => {
    const child = spawnBuy(['/api/deals?limit=2', '--json'], { BASE_URL: app.url });
    const out = child.stdout.toArray();
    child.stderr.destroy();
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0);
    assert.equal((JSON.parse(Buffer.concat(await out).toString()) as unknown[]).length, 2);
  });

  it('gets free replies', async () => {
    const { code, out, error } = await run(['meta']);
    assert.deepEqual([code, error], [0, 'Free: nothing was paid.\n']);
    assert.ok('coverage' in (JSON.parse(out) as object));
  });

  it('says that nothing matched, and that nothing was charged', async () => {
    const before = await balance();
    const { code, out, error } = await run(['/api/deals?state=OH&min_price=2&max_price=1', '--json']);
    assert.deepEqual([code, out], [1, '']);
    assert.match(error, /^[A-Z].*Nothing was billed\.$[^]*^ {2}Reason: no_records_match$/m);
    assert.doesNotMatch(error, /charged/);
    assert.equal(await balance(), before);
  });

  it('names a misspelled parameter before anything is signed', async () => {
    const { code, error } = await run(['/api/deals?stat=OH']);
    assert.equal(code, 1);
    assert.match(
      error,
      /^stat: unknown; did you mean state\?\nNothing was charged\.\n[^]*^ {2}Reason: unknown_parameter$/m,
    );
  });

  it('explains how to start the server when nothing listens', async () => {
    const { code, out, error } = await run(['/api/deals'], { BASE_URL: await closedAddress() });
    assert.deepEqual([code, out], [4, '']);
    assert.match(error, /Nothing answers at http:\/\/127\.0\.0\.1:\d+\. Start the server with npm start/);
  });
});

/** A proxy to the service that forwards everything, and keeps paid replies until it is repaired. */
async function startLossyProxy(serviceUrl: string) {
  let isMended = false;
  let tell = (): void => undefined;
  const paid = new Promise<void>((resolve) => (tell = resolve));
  const proxy = createProxy((request, response) => {
    const header = request.headers['payment-signature'];
    void fetch(serviceUrl + request.url, {
      headers: typeof header === 'string' ? { 'PAYMENT-SIGNATURE': header } : {},
    }).then(async (answer) => {
      const body = Buffer.from(await answer.arrayBuffer());
      if (header !== undefined && !isMended) return tell();
      const kept = ['content-type', 'payment-required', 'payment-response'].flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      response.writeHead(answer.status, Object.fromEntries(kept)).end(body);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo; // it listens on a port, not a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    paid,
    mend: () => void (isMended = true),
    async stop() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** An address without a listener: a port that was free a moment ago. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
