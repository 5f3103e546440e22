import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDirectory } from '../src/project-file.js';

describe('makeDirectory', () => {
  let root: string;
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'made-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  it('makes what is missing with its mode, and leaves what is there', () => {
    for (const _ of ['first', 'again']) makeDirectory(join(root, 'a', 'b'), 0o700);
    assert.equal(statSync(join(root, 'a')).mode & 0o777, 0o700);
  });

  it('throws where a file stands in the way', () => {
    writeFileSync(join(root, 'file'), '');
    for (const path of ['file', 'file/below', 'file/below/it'])
      assert.throws(() => makeDirectory(join(root, path)), { code: /EEXIST|ENOTDIR/ });
  });

  it('ends where a file system takes no directory, which the recursive form of Node.js does not', function () {
    if (!existsSync('/proc/self')) this.skip();
    for (const path of ['/proc/none', '/proc/none/below'])
      assert.throws(() => makeDirectory(path), { code: /ENOENT|EACCES|EPERM/ });
  });
});
