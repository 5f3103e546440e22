// npm run packages: writes the two packages for buyers to dist/packages and packs them. Each has its package.json and
// README here, the version of the root, and the license; no package of the workspace is a workspace of npm.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const { version } = readJson('package.json');
const common = { bundle: true, splitting: true, format: 'esm', target: 'node20', logLevel: 'warning' };

/** The client for programs: it is bundled without what its types name, and runs in pages too. */
async function writeClient(folder) {
  const entryPoints = { index: 'dist/src/client/entry.js', 'file-storage': 'dist/src/client/file-storage.js' };
  const external = ['decimal.js', 'viem', 'viem/*', 'node:*'];
  await build({
    ...common,
    entryPoints,
    outdir: folder,
    external,
    platform: 'neutral',
    mainFields: ['module', 'main'],
  });
  for (const path of declarationsOf(Object.values(entryPoints)))
    cpSync(path, join(folder, 'types', path.slice('dist/'.length)));
  cpSync('examples', join(folder, 'examples'), { recursive: true });
}

/** The command, with the bridge for agents: it depends on nothing. */
async function writeCommand(folder) {
  const entryPoints = { 'deals-feed': 'dist/src/client/cli/deals-feed.js' };
  await build({ ...common, entryPoints, outdir: folder, platform: 'node', minify: true });
}

/** The declarations that those of some modules name, directly or not. A package that they name must be installed. */
function declarationsOf(modules) {
  const found = new Set();
  const left = modules.map((path) => path.replace(/\.js$/, '.d.ts'));
  for (const path of left) {
    if (found.has(path)) continue;
    found.add(path);
    for (const [, from] of readFileSync(path, 'utf8').matchAll(/\b(?:from|import) ?\(?['"]([^'"]+)['"]/g)) {
      if (from.startsWith('.')) left.push(join(dirname(path), from.replace(/\.js$/, '.d.ts')));
      else if (!['decimal.js', 'viem'].includes(from)) throw new Error(`${path} names the package ${from}.`);
    }
  }
  return found;
}

for (const [name, write] of Object.entries({ 'multifamily-deals-feed': writeClient, 'deals-feed': writeCommand })) {
  const folder = `dist/packages/${name}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await write(folder);
  writeFileSync(
    `${folder}/package.json`,
    `${JSON.stringify(stamp(readJson(`packages/${name}/package.json`)), null, 2)}\n`,
  );
  for (const path of ['LICENSE', `packages/${name}/README.md`]) cpSync(path, join(folder, path.replace(/.*\//, '')));
  const told = execFileSync('npm', ['pack', '--json', '--pack-destination', '..'], { cwd: folder, encoding: 'utf8' });
  const [{ filename, files }] = JSON.parse(told);
  const sizes = files.map(({ path, size }) => `  ${String(size).padStart(8)}  ${path}`);
  console.log([`${filename}: ${statSync(`dist/packages/${filename}`).size} bytes`, ...sizes].join('\n'));
}

/** The description of a package, with the version of the root after its name. */
function stamp({ name, ...rest }) {
  return { name, version, ...rest };
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
