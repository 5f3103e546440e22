import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProjectFile } from '../../src/project-file.js';
import { createAccount, type TestChain } from '../support/chain.js';
import { createRelayerKeys } from '../support/licensed-shop.js';
import { freePort } from '../support/nginx.js';

/** What processes of one service share: a folder, a database, a chain and its settings. */
export type DrillShop = Awaited<ReturnType<typeof createShop>>;

/** This release, built. */
export const current = findProjectFile('');

/** A service on a chain, with three relayers. */
export async function createShop(ports: {
  readonly folder: string;
  readonly chain: TestChain;
  readonly databaseUrl: string;
}) {
  const { folder, chain, databaseUrl } = ports;
  const secret = randomBytes(32).toString('hex');
  const settings = {
    NETWORK: 'eip155:84532',
    PAY_TO: createAccount().address,
    RPC_URL: chain.rpcUrl,
    RELAYER_PRIVATE_KEYS: await createRelayerKeys(chain, 3),
    PUBLIC_BASE_URL: 'https://deals.example.org',
    DATABASE_URL: databaseUrl,
    SERVER_SECRET: secret,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    OPERATOR_PORT: '0',
    DRAIN_SECONDS: '0',
    UNPAID_CALLS_PER_MINUTE: '100000',
    UNBILLED_CALLS_PER_MINUTE: '100000',
    PAID_CALLS_PER_PAYER: '1000',
  };
  const servers: ChildProcess[] = [];
  const { PATH } = process.env;
  const environmentOf = (port: number) => ({
    ...{ PATH, PORT: String(port), INSTANCE_NAME: `on-${port}` },
    ...settings,
  });

  return {
    secret,
    /** Starts a process of a release, and resolves when `isReady` does with 200. */
    async start(release = current, isReady = askReady) {
      const port = await freePort();
      const main = join(release, 'dist/bin/main.js');
      const child = spawn(process.execPath, [main], { cwd: folder, env: environmentOf(port), stdio: 'ignore' });
      servers.push(child);
      const url = `http://127.0.0.1:${port}`;
      for (;;) {
        const reply = await isReady(url).catch(() => undefined);
        if (reply?.status === 200) return { url, child };
        assert.equal(child.exitCode, null, 'it has ended');
        await delay(50);
      }
    },
    /** Runs a verb of a release's command, and returns how it ended and what it printed. */
    cli(words: readonly string[], release = current): { readonly status: number | null; readonly text: string } {
      const args = [join(release, 'dist/bin/cli.js'), ...words];
      const options = { cwd: folder, env: environmentOf(0), encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
      return { status, text: stdout + stderr };
    },
    kill(): void {
      for (const child of servers) child.kill('SIGKILL');
    },
  };
}

export const askReady = (url: string): Promise<Response> => fetch(`${url}/readyz`);
