import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
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

  it('has every exported file, and commands that start', () => {
    const { exports, bin } = JSON.parse(readFileSync(findProjectFile('package.json'), 'utf8')) as {
      exports: Record<string, string | { types: string; default: string }>;
      bin: Record<string, string>;
    };
    const build = readFileSync(findProjectFile('build.js'), 'utf8');
    for (const [name, target] of Object.entries(bin)) {
      assert.equal(target, `dist/bin/${name}.js`);
      const [, source] = new RegExp(`'${name}': 'dist/(.*)\\.js'`).exec(build) ?? [];
      assert.ok(source, `${name} is built`);
      assert.match(readFileSync(findProjectFile(`${source}.ts`), 'utf8'), /^#!\/usr\/bin\/env node\n/);
    }
    for (const entry of Object.values(exports)) {
      if (typeof entry === 'string') continue;
      const source = entry.default.replace(/^\.\/dist\/(.*)\.js$/, '$1');
      assert.equal(entry.types, `./dist/${source}.d.ts`);
      assert.ok(existsSync(findProjectFile(`${source}.ts`)), source);
    }
  });
});
