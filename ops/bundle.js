// npm run bundle: writes dist/app, the server as one folder. It holds the programs joined with their packages, what
// they read at run time, and a list of these packages (sbom.json, CycloneDX 1.5); no source, no node_modules, no
// embedded database.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundling } from '../bundling.js';

const app = 'dist/app';
const programs = {
  main: 'dist/src/main.js',
  cli: 'dist/src/cli.js',
  'deal-thread': 'dist/src/publishing/deal-thread.js',
};

rmSync(app, { recursive: true, force: true });
const { metafile } = await build({ ...bundling, entryPoints: programs, outdir: app, metafile: true });
const addon = 'node_modules/secp256k1';
// An optional package: it has the addon for some machines.
const machine = `${addon}/prebuilds/${process.platform}-${process.arch}`;
if (existsSync(machine)) {
  const entryPoints = { bindings: `${addon}/bindings.js` };
  const options = { bundle: true, platform: 'node', outExtension: { '.js': '.cjs' }, metafile: true };
  const { inputs } = (await build({ ...options, entryPoints, outdir: `${app}/secp256k1` })).metafile;
  Object.assign(metafile.inputs, inputs);
  cpSync(machine, machine.replace(addon, `${app}/secp256k1`), { recursive: true });
}
const data = readdirSync('src', { recursive: true }).filter((path) => /\.(csv|json|txt|sql)$/.test(path));
const others = ['openapi.yaml', 'LICENSE', 'skills', 'dist/assets/pages'];
for (const path of [...data.map((path) => `src/${path}`), ...others])
  cpSync(path, `${app}/${path}`, { recursive: true });

const { name, version, license, type } = readJson('package.json');
const folders = Object.keys(metafile.inputs).flatMap(
  (path) => /^(.*node_modules\/(@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
);
const components = [...new Set(folders)].sort().map(describePackage);
const metadata = { component: { type: 'application', name, version } };
writeJson('sbom.json', { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components });
// Last: the program is found by it.
writeJson('package.json', { name, version, license, type, private: true });

function describePackage(folder) {
  const { name, version, license } = readJson(`${folder}/package.json`);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', name, version, purl, licenses: [{ expression: license }] };
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function writeJson(file, value) {
  writeFileSync(`${app}/${file}`, `${JSON.stringify(value, null, 2)}\n`);
}
