import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { findClockFault, type ClockFault } from '../../payments/settlement/heartbeat.js';
import type { Config } from '../../config/config.js';
import { readDevelopmentNode } from './chain-checks.js';
import { chainOf, findIf, type Check, type CheckPorts, type Finding } from './check.js';

const oldestNode = [20, 19];
const leastFiles = 4_096;
const mb = 1_000_000;
/**
 * What a process takes without records, and for each: a deal by `npm run bench -- scale`, any other by its goal for a
 * million signals, which are leads too.
 */
const [emptyBytes, bytesOfDeal, bytesOfOther] = [150 * mb, 8_100, 300];

/** The machine, and this process on it. */
export const machineChecks: readonly Check[] = [
  {
    id: 'machine.port',
    severity: 'refuse',
    at: ['start', 'doctor'],
    finds: 'the port is taken, privileged, or of another machine',
    cure: 'Stop what listens there, or set another HOST or PORT.',
    look: async ({ config }) => findPortFault(await tryPort(config), config),
  },
  {
    id: 'machine.data_dir',
    severity: 'refuse',
    at: ['start', 'doctor'],
    finds: 'a folder of this service cannot be written',
    cure: 'Give its user the folder in DATA_DIR.',
    look({ config: { dataDirectory, databaseUrl } }) {
      if (isWritable(dataDirectory)) return undefined;
      // With PostgreSQL only what sources bring over HTTP is kept there.
      const severity = databaseUrl === undefined ? 'refuse' : 'warn';
      return {
        sentence: `DATA_DIR ${dataDirectory} cannot be written.`,
        cure: `chown "$(id -un)" ${dataDirectory}`,
        severity,
      };
    },
  },
  {
    id: 'machine.runtime',
    severity: 'refuse',
    at: ['start', 'doctor'],
    finds:
      'Node.js older than 20.19 (refused), fewer than 4,096 open files, or too little memory for what is published',
    cure: 'Install Node.js 24; ulimit -n 4096; more memory',
    async look({ readFacts }) {
      const found = judgeRuntime(process.versions.node, readOpenFiles());
      // Without its database nothing is known of what is published.
      return found ?? judgeMemory(readMemoryLimit(), (await readFacts().catch(() => undefined))?.records ?? {});
    },
  },
  {
    id: 'machine.clock',
    severity: 'not_ready',
    at: ['live', 'doctor'],
    finds: 'a clock 5 s off that of the database or of the newest block (warned), or 30 s',
    cure: 'timedatectl set-ntp true',
    why: 'The clock of this service is wrong.',
    look: lookAtClock,
  },
];

async function lookAtClock(ports: CheckPorts): Promise<Finding | undefined> {
  const [byDatabase, byHead] = await Promise.allSettled([readClockFault(ports), readHeadFault(ports)]);
  if (byDatabase.status === 'rejected' && byHead.status === 'rejected') throw byDatabase.reason;
  const found = [byDatabase, byHead].flatMap((each) => (each.status === 'fulfilled' && each.value) || []);
  // A node may lag, and no block comes from the future: where the database agrees, this clock is not ahead.
  const isAheadOnly = found.length === 1 && byDatabase.status === 'fulfilled' && !byDatabase.value && found[0]?.isAhead;
  const fault = found.find(({ isWrong }) => isWrong) ?? found[0];
  if (fault === undefined || isAheadOnly) return undefined;
  return { sentence: fault.sentence, severity: fault.isWrong ? 'not_ready' : 'warn', isDoubt: true };
}

async function readClockFault({ clockFault, readFacts, now }: CheckPorts): Promise<ClockFault | undefined> {
  if (clockFault !== undefined) return clockFault();
  const from = now();
  const { at } = await readFacts();
  return findClockFault(at, from, now());
}

async function readHeadFault(ports: CheckPorts): Promise<ClockFault | undefined> {
  const { client, network } = chainOf(ports);
  const from = ports.now();
  const { timestamp } = await client.getBlock({ blockTag: 'latest' });
  const fault = findClockFault(new Date(Number(timestamp) * 1_000), from, ports.now(), 'the newest block');
  // What mines on demand may have old blocks, and in tests also new ones.
  return fault === undefined || network.isLocal || (await readDevelopmentNode(client)) ? undefined : fault;
}

/** @param openFiles undefined where they are not limited, or it is not known */
export function judgeRuntime(version: string, openFiles: number | undefined): Finding | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldMajor = 0, oldMinor = 0] = oldestNode;
  if (major < oldMajor || (major === oldMajor && minor < oldMinor))
    return { sentence: `Node.js ${version} is too old.`, cure: 'Install Node.js 24.' };
  if (openFiles === undefined || openFiles >= leastFiles) return undefined;
  const sentence = `This process may open ${openFiles} files, which is few for its connections.`;
  return { sentence, cure: `ulimit -n ${leastFiles}`, severity: 'warn' };
}

/** @param records published records by feed */
export function judgeMemory(limitBytes: number, records: Readonly<Record<string, number>>): Finding | undefined {
  const needed = Object.entries(records).reduce(
    (sum, [feed, count]) => sum + count * (feed === 'deals' ? bytesOfDeal : bytesOfOther),
    emptyBytes,
  );
  const [has, needs] = [Math.floor(limitBytes / mb), Math.ceil(needed / mb)];
  return findIf(has < needs, () => ({
    sentence: `This process may use ${has} MB of memory, and with what is published it needs ${needs} MB.`,
    cure: `Give it ${needs} MB or more: the limit of its container or unit, and NODE_OPTIONS=--max-old-space-size=${needs}`,
    figures: { has, needs },
    severity: 'warn',
  }));
}

/** What its group, its machine or V8 allows it, whichever is least. */
function readMemoryLimit(): number {
  // 0, or more than there is: no limit is set.
  const group = process.constrainedMemory() || Infinity;
  return Math.min(group, totalmem(), getHeapStatistics().heap_size_limit);
}

function readOpenFiles(): number | undefined {
  const limits = existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : '';
  const limit = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return limit === undefined ? undefined : Number(limit);
}

/** Whether it can be written, or made. */
function isWritable(directory: string): boolean {
  const existing = existsSync(directory) || dirname(directory) === directory ? directory : undefined;
  if (existing === undefined) return isWritable(dirname(directory));
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The code of the error with which the port cannot be listened on; undefined where this service has it. */
async function tryPort({ host, port }: Config): Promise<string | undefined> {
  const server = createServer();
  const code = await new Promise<string | undefined>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
  if (code !== 'EADDRINUSE') return code;
  const signal = AbortSignal.timeout(2_000);
  const alive = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`, { signal })
    .then((reply) => reply.json())
    .catch(() => undefined);
  return (alive as { status?: unknown } | undefined)?.status === 'alive' ? undefined : code;
}

function findPortFault(code: string | undefined, { host, port }: Config): Finding | undefined {
  switch (code) {
    case undefined:
      return undefined;
    case 'EADDRINUSE':
      return { sentence: `Port ${port} on ${host} is taken.`, cure: 'Stop what listens there, or set another PORT.' };
    case 'EACCES':
      return { sentence: `This user may not listen on port ${port}.`, cure: 'Set a PORT of 1024 or more.' };
    default:
      return { sentence: `${host} is no address of this machine (${code}).`, cure: 'Correct HOST.' };
  }
}
