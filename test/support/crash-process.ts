import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CrashOrders, CrashReport, CrashRequest, CrashStep } from './crash-messages.js';

/** The real service in a process of its own that can be told to kill itself. */
export interface CrashServer {
  readonly url: string;
  readonly rpcUrl: string;
  /** Resolves when all jobs that were due are over. */
  readonly worked: Promise<Report<'worked'>>;
  arm(step: CrashStep | undefined): Promise<void>;
  audit(): Promise<Report<'audit'>>;
  /** Resolves when the process has died of SIGKILL. */
  died(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
}

type Report<Kind extends CrashReport['kind']> = CrashReport & { readonly kind: Kind };

/** Starts it and waits until it serves; rejects when it ends before. */
export async function startCrashServer(orders: CrashOrders): Promise<CrashServer> {
  const { started, ...server } = launchCrashServer(orders);
  return { ...server, ...(await started) };
}

/** Starts it for those who expect it to die at any time. */
export function launchCrashServer(orders: CrashOrders) {
  const child = fork(fileURLToPath(new URL('./crash-server.ts', import.meta.url)), [JSON.stringify(orders)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;

  /** The next report of a kind. */
  function hear<Kind extends CrashReport['kind']>(kind: Kind): Promise<Report<Kind>> {
    return new Promise((resolve, reject) => {
      const listen = (report: CrashReport): void => {
        if (report.kind !== kind) return;
        child.off('message', listen);
        resolve(report as Report<Kind>); // narrowed by its kind, which TypeScript does not follow through a generic
      };
      child.on('message', listen);
      void exited.then(([code, signal]) => reject(new Error(`The server ended (${code ?? signal})`)));
    });
  }

  async function ask<Kind extends CrashReport['kind']>(request: CrashRequest, kind: Kind): Promise<Report<Kind>> {
    const heard = hear(kind);
    child.send(request);
    return heard;
  }

  const [started, worked] = [hear('started'), hear('worked')];
  for (const each of [started, worked]) each.catch(() => undefined);
  return {
    started,
    worked,
    async arm(step: CrashStep | undefined): Promise<void> {
      await ask({ kind: 'arm', step }, 'armed');
    },
    audit: () => ask({ kind: 'audit' }, 'audit'),
    async died(): Promise<void> {
      assert.deepEqual(await exited, [null, 'SIGKILL']);
    },
    async stop(): Promise<void> {
      child.send({ kind: 'stop' } satisfies CrashRequest);
      assert.deepEqual(await exited, [0, null]);
    },
  };
}
