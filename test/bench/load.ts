import type { Turned } from './servers.js';
import { fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own. */
export interface RemoteServer {
  readonly url: string;
  readonly rpcUrl: string | undefined;
  readonly operatorUrl: string | undefined;
  cpuMicros(): Promise<number>;
  /** Its heap after a forced collection, and how late its event loop was since it was last asked. */
  health(): Promise<Health>;
  /** How often it has called its chain's node so far. */
  rpcCalls(): Promise<number>;
  /** Makes all that was sold so far a day older: its payers are known from then on. */
  age(): Promise<void>;
  turn(what: Turned, isOn: boolean): Promise<void>;
  /** Begins to watch what it computes; then which share of it was within files of a folder. */
  watch(): Promise<(folder: string) => Promise<number>>;
  stop(): Promise<void>;
}

export interface Health {
  readonly heapBytes: number;
  readonly loopP99Ms: number;
}

export interface Shot {
  readonly path: string;
  readonly headers?: Record<string, string>;
}

export interface Measurement {
  readonly requests: number;
  readonly perSecond: number;
  /** CPU time of the server's process per request, microseconds. */
  readonly cpuMicros: number;
}

/** Starts a server in a child process. */
export async function startRemote(
  kind: 'raw' | 'routed' | 'ours' | 'official' | 'ours on a chain' | 'official on a chain',
  argument?: unknown,
  env: Record<string, string> = {},
): Promise<RemoteServer> {
  const child = fork(fileURLToPath(new URL('./measured-process.js', import.meta.url)), {
    env: { ...process.env, ...env },
    execArgv: ['--expose-gc'],
  });
  const ask = <T>(message: object) =>
    new Promise<T>((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`The ${kind} server ended with ${code}`));
      child.once('exit', onExit);
      child.once('message', (reply) => {
        child.off('exit', onExit);
        resolve(reply as T);
      });
      child.send(message);
    });
  const { url, rpcUrl, operatorUrl } = await ask<Pick<RemoteServer, 'url' | 'rpcUrl' | 'operatorUrl'>>({
    kind,
    argument,
  });
  return {
    url,
    rpcUrl,
    operatorUrl,
    health: () => ask<Health>({ kind: 'health' }),
    rpcCalls: async () => (await ask<{ rpcCalls: number }>({ kind: 'rpc' })).rpcCalls,
    age: () => ask<void>({ kind: 'age' }),
    turn: (what, isOn) => ask<void>({ kind: 'turn', argument: { what, isOn } }),
    watch: async () => {
      await ask<void>({ kind: 'watch' });
      return async (folder) => (await ask<{ share: number }>({ kind: 'share', argument: folder })).share;
    },
    cpuMicros: async () => (await ask<{ cpuMicros: number }>({ kind: 'cpu' })).cpuMicros,
    stop: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.send({ kind: 'stop' });
      }),
  };
}

/** Fires shots over a few kept connections and measures the server; every reply must have the expected status. */
export async function measure(
  server: RemoteServer,
  shots: readonly Shot[],
  expectedStatus: number,
  connections = 8,
): Promise<Measurement> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const before = await server.cpuMicros();
  const startedAt = performance.now();
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < shots.length; index = next++) {
      const shot = shots[index];
      if (shot !== undefined) await fire(server.url, shot, expectedStatus, agent);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (await server.cpuMicros()) - before;
  agent.destroy();
  return { requests: shots.length, perSecond: shots.length / seconds, cpuMicros: cpu / shots.length };
}

function fire(url: string, shot: Shot, expectedStatus: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url + shot.path, { agent, headers: shot.headers ?? {} }, (reply) => {
      reply.resume();
      reply.on('end', () =>
        reply.statusCode === expectedStatus
          ? resolve()
          : reject(new Error(`${shot.path}: ${reply.statusCode}, not ${expectedStatus}`)),
      );
    })
      .on('error', reject)
      .end();
  });
}
