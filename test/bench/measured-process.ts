import { monitorEventLoopDelay } from 'node:perf_hooks';
import { watchShare } from './share.js';
import type { Health } from './load.js';
import { countRpcCalls, startOfficialOnChain } from './chain-servers.js';
import {
  createInstantFacilitator,
  startOfficial,
  startOurs,
  startRaw,
  startRouted,
  type MeasuredServer,
  type Turned,
} from './servers.js';

/** Runs one server in a process of its own, so that its CPU time is its own; told by its parent what and when. */
// Its parent is done with it, or gone.
process.on('disconnect', () => process.exit());
process.on('message', (message: { kind: string; argument: never }) => void answer(message));

let server: MeasuredServer | undefined;
const isPlainNode = process.env['BENCH_PLAIN_NODE'] === 'yes';
let told: Awaited<ReturnType<typeof watchShare>> | undefined;
const loop = monitorEventLoopDelay({ resolution: 5 });
const rpcCalls = countRpcCalls(() => server?.rpcUrl, isPlainNode);

async function answer({ kind, argument }: { kind: string; argument: never }): Promise<void> {
  if (kind === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system });
  } else if (kind === 'health') {
    process.send?.(readHealth());
  } else if (kind === 'rpc') {
    process.send?.({ rpcCalls: rpcCalls() });
  } else if (kind === 'age') {
    await server?.age?.();
    process.send?.({});
  } else if (kind === 'turn') {
    const { what, isOn } = argument as { what: Turned; isOn: boolean };
    server?.turn?.(what, isOn);
    process.send?.({});
  } else if (kind === 'watch') {
    told = await watchShare();
    process.send?.({});
  } else if (kind === 'share') {
    process.send?.({ share: await told?.(argument) });
  } else if (kind === 'stop') {
    await server?.stop();
    process.exit(0);
  } else {
    server = await start(kind, argument);
    const { url, rpcUrl, operatorUrl } = server;
    process.send?.({ url, rpcUrl, operatorUrl });
  }
}

/** The loop is watched from the first question on. */
function readHealth(): Health {
  const loopP99Ms = loop.percentile(99) / 1e6;
  loop.enable();
  loop.reset();
  // Twice: what is let go of in the first is given back by the second.
  for (const _round of [1, 2]) global.gc?.();
  return { heapBytes: process.memoryUsage().heapUsed, loopP99Ms };
}

function start(kind: string, argument: never): Promise<MeasuredServer> {
  switch (kind) {
    case 'raw':
      return startRaw(argument);
    case 'routed':
      return startRouted(argument);
    case 'official':
      return startOfficial(argument, createInstantFacilitator());
    case 'official on a chain':
      return startOfficialOnChain(argument);
    case 'ours on a chain':
      return startOurs('on its chain');
    default:
      return startOurs('instantly');
  }
}
