import { spawn } from 'node:child_process';
import { startChain } from '../../src/demo/chain/start-chain.js';

// Started by test-run.test.ts as a test run of its own, which is killed. Its only test never ends.
describe('a run that is killed', () => {
  it('has started a chain, and a program with an environment of its own', async () => {
    const quiet = { info: () => undefined, warn: () => undefined };
    await startChain({ directory: process.env['CHAIN'] ?? '', log: quiet });
    const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: {}, detached: true });
    await new Promise((resolve) => program.once('spawn', resolve));
    process.stderr.write(`started ${program.pid} by ${process.pid}\n`);
    await new Promise(() => setInterval(() => undefined, 1_000));
  });
});
