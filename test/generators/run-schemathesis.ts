import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { findProjectFile } from '../../src/project-file.js';
import { startTestApp } from '../support/app.js';

/** Questions of each operation beside those at the edges of its schemas. */
const questions = 15;

/** Asks a filled service what its contract allows and what it forbids; true where each reply is declared. */
export async function runSchemathesis(program: string): Promise<boolean> {
  const app = await startTestApp();
  const config = findProjectFile('test/generators/schemathesis.toml');
  const wanted = `--phases examples,coverage,fuzzing --max-examples ${questions} --workers 1 --seed 1 --no-color`;
  const args = ['--config-file', config, 'run', `${app.url}/openapi.json`, ...wanted.split(' ')];
  const child = spawn(program, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  await app.stop();
  const [counted = 'no question was asked'] = /\d+ generated, .*/.exec(output) ?? [];
  process.stdout.write(`${code === 0 ? 'green' : `FAILED\n${output.slice(-4_000)}`} schemathesis: ${counted}\n`);
  return code === 0;
}
