import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { findProjectFile } from '../../src/project-file.js';

const maxGzipBytes = 60_000;

describe('the client package', () => {
  it('is small enough for a page, and depends only on viem there', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [findProjectFile('src/client/entry.ts')],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      external: ['viem', 'viem/*'],
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const [output] = outputFiles;
    assert.ok(output);
    const size = gzipSync(output.contents).length;
    assert.ok(size <= maxGzipBytes, `${size} bytes`);
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    assert.deepEqual(
      imported.filter((path) => !/^viem(\/|$)/.test(path)),
      [],
    );
  });
});
