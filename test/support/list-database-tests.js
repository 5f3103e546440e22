// Prints the compiled tests whose outcome may depend on the database: those that open the one of TEST_DATABASE_URL,
// themselves or by what they import. The others are the same on each database.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const databases = ['database', 'postgres'].map((name) => `dist/test/support/${name}.js`);
const tests = readdirSync(join(root, 'dist/test'), { recursive: true })
  .map((name) => `dist/test/${name}`)
  .filter((path) => /\.(test|long)\.js$/.test(path));

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: tests,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  outdir: 'unwritten',
  write: false,
  metafile: true,
  logLevel: 'error',
});
const importsOf = new Map(Object.entries(metafile.inputs).map(([path, { imports }]) => [path, imports]));

/** What a file imports, itself and by others. */
function reach(path, seen = new Set()) {
  if (!seen.has(path)) {
    seen.add(path);
    for (const each of importsOf.get(path) ?? []) if (!each.external) reach(each.path, seen);
  }
  return seen;
}

const found = tests.filter((test) => [...reach(test)].some((path) => databases.includes(path)));
if (found.length === 0) throw new Error('No test opens a database.');
process.stdout.write(`${found.join('\n')}\n`);
