import { randomBytes } from 'node:crypto';
import { runCommand } from '../../../src/client/cli/run-command.js';
import type { BuyerEnvironment } from '../../../src/client/buyer-environment.js';
import type { HomeFiles } from '../../../src/client/cli/surroundings.js';
import { createMemoryStorage, type PaymentStorage } from '../../../src/client/payments/payment-storage.js';
import { startMockServer, type Answer, type MockServer } from '../mock-server.js';

/** Headers of a page that is not the last. */
export const link = (token: string) => ({ Link: `</api/pages/${token}>; rel="next"`, 'X-Total-Count': '3' });
/** A free 200. */
export const free = (body: unknown, headers: Record<string, string> = {}): Answer => ({ status: 200, headers, body });

/** The caller of the command. */
export interface Person {
  readonly privateKey?: string | undefined;
  /** In place of the scripted server and the key. */
  readonly environment?: BuyerEnvironment;
  /** True for a terminal. */
  readonly isThere?: boolean;
  /** The answer to a question; undefined without a person to ask. */
  readonly says?: boolean;
  /** A caller with stored payments, at the same server. */
  readonly storage?: PaymentStorage;
  readonly server?: MockServer;
  /** The files of an earlier command. */
  readonly files?: HomeFiles;
  readonly width?: number;
  readonly isColored?: boolean;
}

/** The command's own files, in memory. */
export function createMemoryFiles(): HomeFiles {
  const files = new Map<string, string>();
  return {
    read: async (name) => files.get(name) ?? Promise.reject(new Error('There is no such file.')),
    write: async (name, text) => (files.set(name, text), `/home/${name}`),
  };
}

/** Runs the command against a scripted server. */
export async function run(script: readonly Answer[], args: readonly string[], person: Person = {}) {
  const { privateKey, isThere = false, says, storage = createMemoryStorage() } = person;
  const { files = createMemoryFiles(), width = 100, isColored = false } = person;
  const opened: string[] = [];
  const server = person.server ?? (await startMockServer(script));
  const asked: string[] = [];
  let out = '';
  let error = '';
  try {
    const code = await runCommand(args, {
      environment: { BASE_URL: server.url, PRIVATE_KEY: privateKey, ...person.environment },
      out: { isTTY: isThere, write: (text) => void (out += text) },
      notes: { isTTY: isThere, write: (text) => void (error += text) },
      width,
      isColored,
      files,
      openBrowser: async (address) => (opened.push(address), isThere),
      confirm: says === undefined ? undefined : async (question) => (asked.push(question), says),
      sleep: async () => undefined,
      storage,
      now: () => new Date(),
      random: () => 0,
      randomBytes,
    });
    return {
      code,
      out,
      error,
      asked,
      opened,
      paths: server.requests.map(({ url }) => url),
      presented: server.signatures().length,
    };
  } finally {
    if (person.server === undefined) await server.stop();
  }
}
