import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { findProjectFile } from '../src/project-file.js';

describe('builds of one working copy', () => {
  const directory = mkdtempSync(join(tmpdir(), 'build-'));
  const [lock, said] = [join(directory, 'building'), join(directory, 'said')];
  after(() => rmSync(directory, { recursive: true }));

  /** A process that says when its build begins and ends. */
  const program = `
    import { appendFileSync } from 'node:fs';
    import { buildAlone } from ${JSON.stringify(pathToFileURL(findProjectFile('one-build.js')))};
    await buildAlone(async () => {
      appendFileSync(${JSON.stringify(said)}, 'begins ');
      await new Promise((resolve) => setTimeout(resolve, 20));
      appendFileSync(${JSON.stringify(said)}, 'ends ');
    }, ${JSON.stringify(lock)});`;
  const build = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);

  it('come one after the other, and none waits for a process that died while it built', async () => {
    writeFileSync(lock, String(spawnSync(process.execPath, ['-e', '']).pid));
    await build();
    await Promise.all([build(), build(), build()]);
    assert.equal(readFileSync(said, 'utf8'), 'begins ends '.repeat(4));
  });
});
