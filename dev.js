// `npm run dev`: runs the server from its source, and again each time a file of it is written. It uses the settings and
// the data of `npm start`. Source that does not compile leaves the last server running.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { context } from 'esbuild';
import { bundlePages } from './bundle-pages.js';
import { bundling } from './bundling.js';

const builder = await context({
  ...bundling,
  entryPoints: { main: 'src/main.ts', 'deal-thread': 'src/publishing/deal-thread.ts' },
  outdir: 'dist/dev',
  sourcemap: true,
  // The files themselves are there.
  sourcesContent: false,
});
let server;
let stopping = false;

/** The old server first lets go of the port, the database and the chain. */
async function stopServer() {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  await exited;
}

async function restart() {
  try {
    await Promise.all([builder.rebuild(), bundlePages()]);
  } catch {
    return; // esbuild has said why
  }
  await stopServer();
  if (!stopping) server = spawn(process.execPath, ['--enable-source-maps', 'dist/dev/main.js'], { stdio: 'inherit' });
}

let restarting = restart();
let isDue = false;
for (const path of ['src', 'jobs', 'generated', 'openapi.yaml'])
  watch(path, { recursive: true }, () => {
    if (isDue) return;
    isDue = true;
    // An editor writes a file in several steps.
    restarting = restarting.then(() => new Promise((resolve) => setTimeout(resolve, 50)));
    restarting = restarting.then(() => ((isDue = false), restart()));
  });

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, async () => {
    stopping = true;
    await restarting;
    await stopServer();
    await builder.dispose();
    process.exit(0);
  });
