import { startOfficial, startOurs, startRaw, type MeasuredServer } from './servers.js';

/** Runs one server in a process of its own, so that its CPU time is its own; told by its parent what and when. */
process.on('message', (message: { kind: string; argument?: never }) => void answer(message));

let server: MeasuredServer | undefined;

async function answer({ kind, argument }: { kind: string; argument?: never }): Promise<void> {
  if (kind === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system });
  } else if (kind === 'stop') {
    await server?.stop();
    process.exit(0);
  } else {
    server =
      kind === 'raw'
        ? await startRaw(argument ?? {})
        : kind === 'official'
          ? await startOfficial(argument)
          : await startOurs();
    process.send?.({ url: server.url });
  }
}
