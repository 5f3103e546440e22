import { rmSync } from 'node:fs';
import { build } from 'esbuild';

const named = (folder, names) => names.map((name) => `src/pages/${folder}/${name}`);
/** What pages load: one script and one stylesheet each, and what a script loads when it is wanted. */
const entryPoints = [
  ...named('assets', ['bar.js', 'copy.js', 'docs.js']),
  ...named('viewer', ['report.js', 'report-sample.js', 'report-worker.js']),
  ...named('assets', ['home.css', 'report.css', 'errors.css', 'docs.css', 'operator.css', 'shop.css']),
  ...named('browser', ['shop.ts', 'buy.ts', 'demo-wallet.ts', 'your-numbers.ts']),
];

/** Joins the scripts and stylesheets of each page into one file: a page of forty small ones is slow on a phone. */
export async function bundlePages(outdir = 'dist/assets/pages') {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints,
    entryNames: '[name]',
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    // Loaded when they are wanted, by their own address.
    external: ['/assets/*'],
  });
}
