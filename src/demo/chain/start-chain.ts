import { randomUUID } from 'node:crypto';
import { existsSync, copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../log.js';
import { findProjectFile, makeDirectory } from '../../project-file.js';
import { askNode, findRunningNode, launchNode, statePath, stopNode, findAnvil } from './anvil-node.js';

/** A local chain with the test token, Multicall3, a rich buyer and a relayer with gas money. */
export interface LocalChain {
  readonly rpcUrl: string;
  /** Id of this directory's history: with another id, earlier payments are not on this chain. */
  readonly instanceId: string;
  /** Calls any method of the node, also those that only a development node has; see `askNode`. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Stops the node and saves the chain. */
  stop(): Promise<void>;
}

/**
 * Starts the local chain, or takes over one that an earlier process left running in `directory`. The node listens only
 * on 127.0.0.1 and mines at once, until it is told otherwise.
 *
 * The chain is saved in `directory/state.json` every second and at the end: after a SIGKILL of the node it may be up to
 * a second old. Only one process at a time may use a directory.
 *
 * @throws AnvilUnavailableError without a working anvil
 */
export async function startChain(options: {
  readonly directory: string;
  /** Default: any free port. A node taken over keeps its port. */
  readonly port?: number;
  /** The configured anvil, ANVIL_BIN. */
  readonly anvilBin?: string;
  /** Values other than 31337 are for tests of other networks' rules. */
  readonly chainId?: number;
  /** Id of the history, if a new one begins. */
  readonly newInstanceId?: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
}): Promise<LocalChain> {
  const { directory, port = 0, chainId = 31337, log } = options;
  makeDirectory(directory, 0o700);
  let node = await findRunningNode(directory, chainId);
  const reattached = node !== undefined;
  let isStopping = false;
  if (!node) {
    const binary = await findAnvil(options.anvilBin);
    seedState(directory, options.newInstanceId ?? randomUUID(), log);
    const onExit = (exitCode: number | null): void => {
      if (!isStopping) log.warn({ exitCode }, 'local chain ended: restart the service to start it again');
    };
    node = await launchNode({ binary, directory, chainId, port, onExit });
  }
  const running = node;
  const instanceId = readFileSync(instancePath(directory), 'utf8').trim();
  log.info({ port: running.port, pid: running.pid, chainId, instanceId, reattached }, 'local chain running');
  return {
    rpcUrl: `http://127.0.0.1:${running.port}`,
    instanceId,
    ask: (method, params) => askNode(running.port, method, params),
    async stop() {
      isStopping = true;
      await stopNode(directory, running);
    },
  };
}

const instancePath = (directory: string): string => join(directory, 'instance');

/** A directory without a readable chain gets the committed one and a new history id. */
function seedState(directory: string, newInstanceId: string, log: Pick<Log, 'warn'>): void {
  const state = statePath(directory);
  if (existsSync(state)) {
    if (isJson(state)) return;
    renameSync(state, `${state}.broken`);
    log.warn({ keptAs: `${state}.broken` }, 'saved local chain unreadable: a new one begins without its payments');
  }
  writeFileSync(instancePath(directory), `${newInstanceId}\n`, { mode: 0o600 });
  copyFileSync(findProjectFile('src/demo/chain/chain-state.json'), `${state}.new`);
  renameSync(`${state}.new`, state);
}

function isJson(path: string): boolean {
  try {
    JSON.parse(readFileSync(path, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
