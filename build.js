// Where anything was written since the last build: compiles what has changed into dist/, joins each program with its
// packages in dist/bin, and puts what the pages load and an empty database into dist/assets. In an
// installation without the development packages there is nothing to compile with: then what an earlier build left must
// be there.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { bundling } from './bundling.js';
import { buildAlone } from './one-build.js';

const compiler = 'node_modules/typescript/bin/tsc';
// The compiler alone may be there as somebody's peer.
const tools = [compiler, ...['@types/node', 'esbuild'].map((name) => `node_modules/${name}`)];
const programs = {
  main: 'dist/src/main.js',
  cli: 'dist/src/cli.js',
  'deal-thread': 'dist/src/publishing/deal-thread.js',
  'deals-feed': 'dist/src/client/cli/deals-feed.js',
};

const folders = ['src', 'jobs', 'generated'];
const projects = ['base', 'server', 'client', 'generated'].map((name) => `tsconfig/${name}.json`);
const inputs = [
  'build.js',
  'bundling.js',
  'bundle-pages.js',
  'one-build.js',
  'node_modules/.package-lock.json',
  ...projects,
];
const built = 'dist/bin/main.js';

if (tools.every((path) => existsSync(path))) {
  if (isDue()) process.exitCode = await buildAlone(async () => (isDue() ? build() : 0));
} else if (!existsSync(built) && process.env.npm_lifecycle_event !== 'prepare') {
  process.stderr.write('Nothing is built yet, and the compiler is not installed. Run: npm ci && npm run build\n');
  process.exit(1);
}

function isDue() {
  return !existsSync(built) || lastWritten() > statSync(built).mtimeMs;
}

async function build() {
  const begunAt = new Date();
  const { status } = spawnSync(process.execPath, [compiler, '-b', 'tsconfig/server.json'], { stdio: 'inherit' });
  if (status !== 0) return status ?? 1;
  const { bundlePages } = await import('./bundle-pages.js');
  await bundlePages();
  const { buildEmptyCluster } = await import('./dist/src/db/empty-cluster.js');
  await buildEmptyCluster();
  // Last: that it is there says that the build is whole.
  await joinPrograms();
  // What was written meanwhile may not be in it.
  utimesSync(built, begunAt, begunAt);
  return 0;
}

/** Asked in the place of the compiler, who takes half a second to find that nothing has changed. */
function lastWritten() {
  const within = (folder) => [folder, ...readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`)];
  const writtenAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.max(...[...inputs, ...folders.flatMap(within)].map(writtenAt));
}

/** Opening two thousand small files is a third of what a start takes; one large one is opened at once. */
async function joinPrograms() {
  const esbuild = await import('esbuild');
  rmSync('dist/bin', { recursive: true, force: true });
  await esbuild.build({ ...bundling, entryPoints: programs, outdir: 'dist/bin' });
}
