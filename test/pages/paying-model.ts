import { createContext, Script, type Context } from 'node:vm';
import { webcrypto } from 'node:crypto';
import { buildSync } from 'esbuild';
import { findProjectFile } from '../../src/project-file.js';
import type { Item } from '../../src/pages/browser/buy.js';
import type * as buying from '../../src/pages/browser/buy.js';
import type { Random } from '../simulation/random.js';
import type { Scheduler } from '../simulation/scheduler.js';

/** What one browser keeps, for all its tabs. */
export interface ModelBrowser {
  readonly kept: Map<string, string>;
  readonly purchases: Map<string, unknown>;
  /** Holders of its locks; a tab that is closed lets go. */
  readonly locks: Map<string, Tab>;
}

/** A tab with the page's own paying code. Nothing of it goes on after it is closed. */
export interface Tab {
  isOpen: boolean;
  readonly code: typeof buying;
}

/** The paying code of the pages as a plain script: each tab runs it anew. */
const script = new Script(
  buildSync({
    entryPoints: [findProjectFile('src/pages/browser/buy.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'paying',
    platform: 'browser',
    target: ['es2022'],
  }).outputFiles[0]?.text ?? '',
);

export interface TabPorts {
  readonly browser: ModelBrowser;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly fetch: typeof globalThis.fetch;
}

/** Opens a tab: the page's own code, run anew over what the browser keeps. */
export function openTab({ browser, scheduler, random, fetch }: TabPorts): Tab {
  const tab: { isOpen: boolean; code?: typeof buying } = { isOpen: true };
  const alive = tab as Tab;
  /** A closed tab sees nothing more. */
  const whileOpen = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      work.then(
        (value) => alive.isOpen && resolve(value),
        (error: unknown) => alive.isOpen && reject(error as Error),
      );
    });
  const later = (ms: number) => new Promise<void>((resolve) => void scheduler.after(ms, resolve));
  const timers = new Map<number, () => void>();
  let count = 0;
  const globals = {
    location: { origin: 'https://deals.example' },
    localStorage: {
      getItem: (name: string) => browser.kept.get(name) ?? null,
      setItem: (name: string, text: string) => void browser.kept.set(name, text),
      removeItem: (name: string) => void browser.kept.delete(name),
    },
    navigator: { locks: { request: createLocks(browser, alive, whileOpen) } },
    indexedDB: createDatabase(browser, (ms) => whileOpen(later(ms)), random),
    fetch: (...given: Parameters<typeof fetch>) => whileOpen(fetch(...given)),
    setTimeout(run: () => void, ms: number) {
      timers.set(
        ++count,
        scheduler.after(ms, () => alive.isOpen && run()),
      );
      return count;
    },
    clearTimeout: (id: number) => timers.get(id)?.(),
    Date: class extends Date {
      constructor(...given: [] | [number | string]) {
        super(...((given.length === 0 ? [scheduler.now()] : given) as [number]));
      }
      static override now = () => scheduler.now();
    },
    crypto: {
      getRandomValues: <T extends Uint8Array>(bytes: T) => bytes.map(() => random.below(256)) as T,
      subtle: webcrypto.subtle,
    },
    ...{ Request, Response, Headers, URL, URLSearchParams, AbortController, AbortSignal, TextEncoder, TextDecoder },
    ...{ Uint8Array, atob, btoa, console, structuredClone },
  };
  const context: Context = createContext(globals);
  script.runInContext(context);
  tab.code = (context as { paying: typeof buying }).paying;
  return alive;
}

function createLocks(browser: ModelBrowser, tab: Tab, whileOpen: <T>(work: Promise<T>) => Promise<T>) {
  type Held = (lock: object | null) => unknown;
  return async (name: string, ...[first, second]: [Held] | [{ ifAvailable: boolean }, Held]): Promise<unknown> => {
    const work = second ?? (first as Held);
    const isHeld = browser.locks.get(name)?.isOpen === true;
    if (isHeld && second !== undefined) return work(null);
    // What the journal does under its lock is one step, so nobody waits for it.
    browser.locks.set(name, tab);
    try {
      return await whileOpen(Promise.resolve(work({})));
    } finally {
      if (browser.locks.get(name) === tab) browser.locks.delete(name);
    }
  };
}

/** As much of IndexedDB as the pages use. */
function createDatabase({ purchases }: ModelBrowser, step: (ms: number) => Promise<void>, random: Random) {
  interface Asked {
    result: unknown;
    onsuccess?: () => void;
    onupgradeneeded?: () => void;
  }
  const ask = (work: () => unknown): Asked => {
    const asked: Asked = { result: undefined };
    void step(random.between(0, 20)).then(() => {
      asked.result = work();
      asked.onsuccess?.();
    });
    return asked;
  };
  const store = {
    put: (item: { paymentId: string }) => ask(() => purchases.set(item.paymentId, item)),
    get: (id: string) => ask(() => purchases.get(id)),
    getAll: () => ask(() => [...purchases.values()]),
    count: () => ask(() => purchases.size),
    delete: (id: string) => ask(() => purchases.delete(id)),
  };
  const database = { transaction: () => ({ objectStore: () => store }), close: () => undefined };
  return { open: () => ask(() => database) };
}

export const wantedItem: Item = { path: '/api/deals?state=OH', title: 'Deals', price: '0.05' };
