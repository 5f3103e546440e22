import { spawn, execFile } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../errors.js';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

/** A running anvil. */
export interface AnvilNode {
  readonly pid: number;
  readonly port: number;
  /** Random id of the anvil process: distinguishes it from another process on the same port later. */
  readonly nodeId: string;
}

const pollMs = 10;
const startPolls = 6_000;
const stopPolls = 1_000;

/**
 * Starts anvil on the state in `directory` and waits up to a minute until it answers. The child survives its parent:
 * its process id is saved at once, so that the next start finds it (`findRunningNode`).
 *
 * @throws OperatorError with the end of anvil's log when it does not start
 */
export async function launchNode(options: {
  readonly binary: string;
  readonly directory: string;
  readonly chainId: number;
  /** 0: any free port. */
  readonly port: number;
  readonly onExit: (exitCode: number | null) => void;
}): Promise<AnvilNode> {
  const { binary, directory, chainId, port, onExit } = options;
  const args = ['--host', '127.0.0.1', '--no-cors', '--port', `${port}`, '--chain-id', `${chainId}`];
  args.push('--state', statePath(directory), '--state-interval', '1', '--cache-path', join(directory, 'cache'));
  // Two blocks deep is final; otherwise nothing would be, on a chain that mines only when somebody pays.
  args.push('--slots-in-an-epoch', '1');
  // A file, not a pipe: writing to the pipe of a dead parent would end anvil.
  const logFile = openSync(logPath(directory), 'w');
  const child = spawn(binary, args, { detached: true, stdio: ['ignore', logFile, logFile] });
  closeSync(logFile);
  let exited = false;
  child.once('error', () => (exited = true));
  child.once('exit', (exitCode) => {
    exited = true;
    onExit(exitCode);
  });
  child.unref();
  if (child.pid !== undefined) writeFileSync(processPath(directory), JSON.stringify({ pid: child.pid }));

  for (let poll = 0; poll < startPolls && child.pid !== undefined && !exited; poll += 1) {
    const node = await identifyNode(directory, child.pid, chainId);
    if (node) {
      await askNode(node.port, 'anvil_setLoggingEnabled', [false]);
      writeFileSync(processPath(directory), JSON.stringify(node));
      return node;
    }
    await delay(pollMs);
  }
  child.kill('SIGKILL');
  rmSync(processPath(directory), { force: true });
  throw new OperatorError(`The local chain did not start: ${readText(logPath(directory)).trim().slice(-500)}`);
}

/** The anvil that an earlier process started on this directory, if still running; otherwise undefined. */
export async function findRunningNode(directory: string, chainId: number): Promise<AnvilNode | undefined> {
  const record = parseRecord(readText(processPath(directory)));
  if (record === undefined || !isAlive(record.pid)) return undefined;
  const node = await identifyNode(directory, record.pid, chainId);
  return node && (record.nodeId === undefined || record.nodeId === node.nodeId) ? node : undefined;
}

/** Stops the node so that it saves its state, and deletes its record. Kills it after ten seconds. */
export async function stopNode(directory: string, node: AnvilNode): Promise<void> {
  if (isAlive(node.pid)) process.kill(node.pid, 'SIGTERM');
  for (let poll = 0; isAlive(node.pid); poll += 1) {
    if (poll === stopPolls) process.kill(node.pid, 'SIGKILL');
    await delay(pollMs);
  }
  rmSync(processPath(directory), { force: true });
}

/** Path of the chain's state file. */
export function statePath(directory: string): string {
  return join(directory, 'state.json');
}

const processPath = (directory: string): string => join(directory, 'process.json');
const logPath = (directory: string): string => join(directory, 'anvil.log');

async function identifyNode(directory: string, pid: number, chainId: number): Promise<AnvilNode | undefined> {
  const port = Number(/Listening on 127\.0\.0\.1:(\d+)/.exec(readText(logPath(directory)))?.[1] ?? 0);
  if (port === 0) return undefined;
  const metadata = await askNode(port, 'anvil_metadata');
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  if (!('chainId' in metadata) || metadata.chainId !== chainId) return undefined;
  if (!('instanceId' in metadata) || typeof metadata.instanceId !== 'string') return undefined;
  return { pid, port, nodeId: metadata.instanceId };
}

function parseRecord(text: string): { pid: number; nodeId: string | undefined } | undefined {
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record !== 'object' || record === null || !('pid' in record)) return undefined;
    if (!Number.isInteger(record.pid) || typeof record.pid !== 'number') return undefined;
    const nodeId = 'nodeId' in record && typeof record.nodeId === 'string' ? record.nodeId : undefined;
    return { pid: record.pid, nodeId };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Calls a local node directly, for methods that only a development node has. Undefined when it does not answer in time,
 * or answers with an error.
 */
export async function askNode(port: number, method: string, params: readonly unknown[] = []): Promise<unknown> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(2_000),
    });
    const answer: unknown = await response.json();
    return typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : undefined;
  } catch {
    return undefined;
  }
}

/** No working anvil on this machine. The message says how to get one. */
export class AnvilUnavailableError extends OperatorError {
  readonly code = 'anvil_unavailable';

  constructor(tried: readonly string[]) {
    super(
      'The local demonstration chain needs anvil (1.7 or newer), and none was found that runs: ' +
        `${tried.join('; ')}. On Linux x64 with glibc 2.35 or newer, "npm install --include=optional" brings one; ` +
        'elsewhere install Foundry (https://getfoundry.sh), then put anvil on the PATH or its full path into ANVIL_BIN.',
    );
  }
}

/** The programs that ran in this process before. */
const working = new Set<string>();

const npmPackage = '@foundry-rs/anvil-linux-amd64';

/**
 * The path of a working anvil: only the configured one if set, else the npm package's, else the PATH's.
 *
 * @throws AnvilUnavailableError
 */
export async function findAnvil(configured?: string): Promise<string> {
  const candidates = configured ? [configured] : [...findInstalledBinary(), 'anvil'];
  const tried: string[] = [];
  for (const candidate of candidates) {
    const fault = working.has(candidate) ? undefined : await findFault(candidate);
    if (fault === undefined) {
      working.add(candidate);
      return candidate;
    }
    tried.push(`${candidate} (${fault})`);
  }
  throw new AnvilUnavailableError(tried);
}

/** The binary of the optional dependency; none when npm skipped it, as on other platforms. */
function findInstalledBinary(): string[] {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${npmPackage}/package.json`);
    return [join(dirname(manifest), 'bin', 'anvil')];
  } catch {
    return [];
  }
}

async function findFault(binary: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: 10_000 });
    return stdout.startsWith('anvil') ? undefined : 'is not anvil';
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1);
  }
}
