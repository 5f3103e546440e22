// Compiles what has changed into dist/ and puts the program of the API reference there. In an installation without the
// development packages there is nothing to compile with: then what an earlier build left must be there.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const compiler = 'node_modules/typescript/bin/tsc';
// The compiler alone may be there as somebody's peer.
const tools = [compiler, 'node_modules/@types/node', 'node_modules/@scalar/api-reference'];

if (tools.every((path) => existsSync(path))) {
  const { status } = spawnSync(process.execPath, [compiler, '-b', 'tsconfig.server.json'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  const { copyDocsScript } = await import('./dist/src/discovery/docs-script.js');
  copyDocsScript();
} else if (!existsSync('dist/src/main.js') && process.env.npm_lifecycle_event !== 'prepare') {
  process.stderr.write('Nothing is built yet, and the compiler is not installed. Run: npm ci && npm run build\n');
  process.exit(1);
}
