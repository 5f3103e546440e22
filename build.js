// Compiles what has changed into dist/, joins each program with its packages in dist/bin, and puts the script of the API
// reference beside them. In an installation without the development packages there is nothing to compile with: then what
// an earlier build left must be there.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';

const compiler = 'node_modules/typescript/bin/tsc';
// The compiler alone may be there as somebody's peer.
const tools = [compiler, ...['@types/node', 'esbuild', '@scalar/api-reference'].map((name) => `node_modules/${name}`)];
const programs = {
  main: 'dist/src/main.js',
  cli: 'dist/src/cli.js',
  'deals-feed': 'dist/src/client/cli/deals-feed.js',
  'deals-feed-mcp': 'dist/src/client/mcp/stdio.js',
};

if (tools.every((path) => existsSync(path))) {
  const { status } = spawnSync(process.execPath, [compiler, '-b', 'tsconfig.server.json'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  if (isStale('dist/bin/main.js')) await joinPrograms();
  const { copyDocsScript } = await import('./dist/src/discovery/docs-script.js');
  copyDocsScript();
} else if (!existsSync('dist/bin/main.js') && process.env.npm_lifecycle_event !== 'prepare') {
  process.stderr.write('Nothing is built yet, and the compiler is not installed. Run: npm ci && npm run build\n');
  process.exit(1);
}

/** Whether the compiler or the package manager wrote something since. */
function isStale(path) {
  const sources = ['server', 'client', 'generated'].map((project) => `dist/${project}.tsbuildinfo`);
  const writtenAt = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);
  return [...sources, 'node_modules/.package-lock.json', 'build.js'].some((file) => writtenAt(file) > writtenAt(path));
}

/** Opening two thousand small files is a third of what a start takes; one large one is opened at once. */
async function joinPrograms() {
  const { build } = await import('esbuild');
  rmSync('dist/bin', { recursive: true, force: true });
  await build({
    entryPoints: programs,
    outdir: 'dist/bin',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    // The embedded database finds its program beside itself; the rest are databases that are not used.
    external: [
      '@electric-sql/pglite',
      ...[
        'better-sqlite3',
        'mariadb',
        'mysql',
        'mysql2',
        'oracledb',
        'pg-native',
        'pg-query-stream',
        'sqlite3',
        'tedious',
      ],
    ],
    // Packages in CommonJS ask for Node's own modules by `require`.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
}
