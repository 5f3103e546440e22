import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { findProjectFile } from '../../src/project-file.js';
import type { CrashOrders, CrashReport, CrashRequest, Doom } from './crash-messages.js';
import { shortLived } from './short-lived.js';

/** The real service in a separate process that can be told to kill itself. */
export interface CrashServer {
  readonly url: string;
  /** The address of its local chain; empty without one. */
  readonly rpcUrl: string;
  /** Resolves when all due jobs have ended. */
  readonly worked: Promise<Report<'worked'>>;
  /** `prepare` is awaited before a settlement that needs a preparation of the chain. */
  arm(doom: Doom, prepare?: () => Promise<void>): Promise<void>;
  /** Resolves when the next payment has reached its step. */
  reached(): Promise<Report<'reached'>>;
  /** Moves its clocks. */
  advance(seconds: number): Promise<void>;
  reconcile(): Promise<void>;
  audit(): Promise<Report<'audit'>>;
  /** Rebuilds the ledger; `dies` is for `died`. */
  rebuild(dies?: 'before' | 'after'): Promise<Report<'rebuilt'>>;
  /** Resolves when the process has died of SIGKILL. */
  died(): Promise<void>;
  /** Kills it, if it is still running. */
  kill(): Promise<void>;
  /** Stops it gracefully. */
  stop(): Promise<void>;
}

type Report<Kind extends CrashReport['kind']> = CrashReport & { readonly kind: Kind };

/** The time after which a process that should die has missed its step. */
const longestWaitMs = 100_000;

/** Starts it and waits until it serves; rejects when it ends before. */
export async function startCrashServer(orders: CrashOrders): Promise<CrashServer> {
  const { started, ...server } = launchCrashServer(orders);
  return { ...server, ...(await started) };
}

/** Starts it for callers that expect it to die at any time. */
export function launchCrashServer(orders: CrashOrders) {
  const child = fork(findProjectFile('dist/test/support/crash-server.js'), [JSON.stringify(orders)], {
    execArgv: [shortLived],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;

  let prepare: (() => Promise<void>) | undefined;
  child.on('message', ({ kind }: CrashReport) => {
    if (kind === 'settling') void prepare?.().then(() => send({ kind: 'prepared' }));
  });

  /** A dead process is noticed by its exit. */
  function send(request: CrashRequest): void {
    child.send(request, () => undefined);
  }

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
    send(request);
    return heard;
  }

  const [started, worked] = [hear('started'), hear('worked')];
  for (const each of [started, worked]) each.catch(() => undefined);
  return {
    started,
    worked,
    async arm(doom: Doom, toPrepare?: () => Promise<void>): Promise<void> {
      prepare = toPrepare;
      await ask({ kind: 'arm', ...doom }, 'armed');
    },
    reached: () => hear('reached'),
    async advance(seconds: number): Promise<void> {
      await ask({ kind: 'advance', seconds }, 'advanced');
    },
    async reconcile(): Promise<void> {
      await ask({ kind: 'reconcile' }, 'reconciled');
    },
    audit: () => ask({ kind: 'audit' }, 'audit'),
    rebuild: (dies?: 'before' | 'after') => ask({ kind: 'rebuild', ...(dies && { dies }) }, 'rebuilt'),
    async died(): Promise<void> {
      const timer = setTimeout(() => child.kill('SIGTERM'), longestWaitMs);
      assert.deepEqual(await exited, [null, 'SIGKILL'], 'it did not get to the step at which it should die');
      clearTimeout(timer);
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await exited;
    },
    async stop(): Promise<void> {
      send({ kind: 'stop' });
      assert.deepEqual(await exited, [0, null]);
    },
  };
}
