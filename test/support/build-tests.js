// Builds the service, and compiles the tests into dist/test/ when one has changed, so that processes started by tests
// always run the current tree.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildAlone } from '../../one-build.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [from, to] = [join(root, 'test'), join(root, 'dist/test')];

const { status } = spawnSync(process.execPath, ['build.js'], { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

const begunAt = new Date();
const written = readdirSync(from, { recursive: true }).map((name) => join(from, String(name)));
const lastWritten = Math.max(...written.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
await buildAlone(
  async () => {
    if (existsSync(to) && lastWritten <= statSync(to).mtimeMs) return;
    // Tests that no longer exist must not run.
    rmSync(to, { recursive: true, force: true });
    await build({
      entryPoints: written.filter((path) => /\.(ts|js|json)$/.test(path)),
      outdir: to,
      outbase: from,
      loader: { '.json': 'copy', '.js': 'copy' },
      target: 'node20',
      logLevel: 'warning',
    });
    // Last, because files written meanwhile may not be included.
    utimesSync(to, begunAt, begunAt);
  },
  join(root, 'dist/building'),
);
