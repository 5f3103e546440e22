import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { loadContract } from '../../src/contract/load-contract.js';
import { findProjectFile } from '../../src/project-file.js';
import type { SchemaNode } from '../contract/schema-nodes.js';
import { plain, replySchema } from './check-plain.js';
import { readReplies } from './replies.js';
import { runSchemathesis } from './run-schemathesis.js';

// `npm run check:generators`: six generators, without options, make a client of the documents for them. Each client
// is compiled, and a harness reads every recorded reply into its types and writes it again: none is lost. Then
// schemathesis asks the service what its contract allows and forbids.
// With `--if-changed` nothing is done where the last green run, in verified.json, was of the same.

const versions = {
  openapiGenerator: '7.25.0',
  oapiCodegen: '2.8.2',
  ogen: '1.24.0',
  openapiPythonClient: '0.29.1',
  schemathesis: '4.32.5',
};
const cache = findProjectFile('node_modules/.cache/generators');
const harnesses = findProjectFile('test/generators/harnesses');
const strict = findProjectFile('openapi.yaml');
const document = findProjectFile('generated/openapi.plain.json');
const document30 = findProjectFile('generated/openapi.plain-3.0.json');
const verifiedFile = findProjectFile('test/generators/verified.json');
const jar = join(cache, `openapi-generator-cli-${versions.openapiGenerator}.jar`);
const python = join(cache, 'venv/bin/python');
const replies = readReplies().filter(({ isPlain }) => isPlain);
const work = mkdtempSync(join(tmpdir(), 'generators-'));
const manifest = join(work, 'manifest.tsv');

interface Generator {
  readonly needs: readonly string[];
  /** Generates, compiles and runs the harness; each line is a command of the shell, in a folder of its own. */
  readonly commands: readonly string[];
  /** The harness, from the folder of harnesses. */
  readonly harness: string;
}

const generateBy = (name: string, from: string): string => `java -jar ${jar} generate -i ${from} -g ${name} -o .`;
const fetchJar = `test -e ${jar} || mvn -q org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy -Dartifact=org.openapitools:openapi-generator-cli:${versions.openapiGenerator} -DoutputDirectory=${cache}`;
const goTool = (name: string, module: string): string =>
  `test -e ${cache}/bin/${name} || GOBIN=${cache}/bin go install ${module}`;
const venv = `test -e ${python} || python3 -m venv ${cache}/venv`;
const runGo = [
  'test -e go.mod || go mod init example.com/plain',
  'go mod tidy',
  'go vet .',
  `go run . ${manifest} "$OUT"`,
];
const generators: Readonly<Record<string, Generator>> = {
  'openapi-generator java native': {
    needs: ['java', 'javac', 'mvn'],
    harness: 'Harness.java',
    commands: [
      fetchJar,
      `${generateBy('java', document30)} --library native`,
      'mvn -q dependency:build-classpath -Dmdep.outputFile=classpath',
      'javac -nowarn -d classes -cp "$(cat classpath)" Harness.java $(find src/main -name "*.java")',
      `java -cp "classes:$(cat classpath)" Harness ${manifest} "$OUT"`,
    ],
  },
  'openapi-generator python': {
    needs: ['java', 'mvn', 'python3'],
    harness: 'harness.py',
    commands: [
      fetchJar,
      generateBy('python', document),
      venv,
      `${python} -m pip install -q --disable-pip-version-check -r requirements.txt`,
      `PYTHONPATH=. ${python} harness.py openapi_client ${manifest} "$OUT"`,
    ],
  },
  'openapi-generator typescript-fetch': {
    needs: ['java', 'mvn'],
    harness: 'harness.mts',
    commands: [
      fetchJar,
      generateBy('typescript-fetch', document),
      `echo '{"type":"module"}' > package.json`,
      `${process.execPath} ${findProjectFile('node_modules/typescript/bin/tsc')} --strict --noEmit --skipLibCheck --target ES2022 --module ES2022 --moduleResolution bundler --typeRoots ${findProjectFile('node_modules/@types')} --types node harness.mts index.ts`,
      `${process.execPath} --import ${findProjectFile('node_modules/tsx/dist/loader.mjs')} harness.mts ${manifest} "$OUT"`,
    ],
  },
  'oapi-codegen': {
    needs: ['go'],
    harness: 'harness.go',
    commands: [
      goTool('oapi-codegen', `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${versions.oapiCodegen}`),
      `${cache}/bin/oapi-codegen -package main -o plain.go ${document}`,
      ...runGo,
    ],
  },
  ogen: {
    needs: ['go'],
    harness: 'harness.go',
    commands: [
      goTool('ogen', `github.com/ogen-go/ogen/cmd/ogen@v${versions.ogen}`),
      `${cache}/bin/ogen --package main --target . ${document30}`,
      ...runGo,
    ],
  },
  'openapi-python-client': {
    needs: ['python3'],
    harness: 'harness.py',
    commands: [
      venv,
      `${python} -m pip install -q --disable-pip-version-check openapi-python-client==${versions.openapiPythonClient}`,
      `${python} -m openapi_python_client generate --path ${document} --output-path client`,
      `PYTHONPATH=client ${python} harness.py multifamily_deals_feed_client ${manifest} "$OUT"`,
    ],
  },
};

const hash = hashOf([strict, document, document30, ...readReplies().map(({ file }) => file)]);
const verified = existsSync(verifiedFile)
  ? (JSON.parse(readFileSync(verifiedFile, 'utf8')) as { hash: string })
  : { hash: '' };
if (process.argv.includes('--if-changed') && verified.hash === hash) {
  process.stdout.write('The generators were verified with these documents and replies.\n');
  process.exit(0);
}
mkdirSync(cache, { recursive: true });
writeManifest();
const results = Object.entries(generators).map(([name, generator]) => runGenerator(name, generator));
rmSync(work, { recursive: true });
results.push(await askService());
if (results.every((each) => each === 'green'))
  writeFileSync(verifiedFile, `${JSON.stringify({ hash, versions }, null, 2)}\n`);
process.exit(results.includes('failed') ? 1 : 0);

async function askService(): Promise<'green' | 'failed' | 'skipped'> {
  const install = `${venv} && ${python} -m pip install -q --disable-pip-version-check schemathesis==${versions.schemathesis}`;
  if (spawnSync('sh', ['-c', install], { stdio: 'inherit' }).status === 0)
    return (await runSchemathesis(join(cache, 'venv/bin/schemathesis'))) ? 'green' : 'failed';
  process.stdout.write('SKIPPED schemathesis: python3 with pip cannot install it\n');
  return 'skipped';
}

function runGenerator(name: string, { needs, commands, harness }: Generator): 'green' | 'failed' | 'skipped' {
  const missing = needs.filter((each) => spawnSync('which', [each]).status !== 0);
  if (missing.length > 0) {
    process.stdout.write(`SKIPPED ${name}: ${missing.join(', ')} not installed\n`);
    return 'skipped';
  }
  const directory = join(work, name.replaceAll(' ', '-'));
  const out = join(directory, 'written');
  mkdirSync(out, { recursive: true });
  copyFileSync(join(harnesses, harness), join(directory, harness));
  if (harness === 'harness.go') copyFileSync(join(work, 'models.go'), join(directory, 'models.go'));
  for (const command of commands) {
    const run = spawnSync('sh', ['-c', command], {
      cwd: directory,
      env: { ...process.env, OUT: out },
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    if (run.status === 0) continue;
    process.stdout.write(`FAILED ${name}: ${command}\n${run.stdout.slice(-2_000)}${run.stderr.slice(-2_000)}\n`);
    return 'failed';
  }
  const faults = replies.flatMap(({ file, body }) => {
    const again = JSON.parse(readFileSync(join(out, basename(file)), 'utf8')) as unknown;
    return findChanges(body, again, basename(file));
  });
  process.stdout.write(
    `${faults.length === 0 ? 'green' : 'FAILED'} ${name}: ${replies.length} replies, ${faults.length} fields lost or changed\n`,
  );
  for (const fault of faults.slice(0, 10)) process.stdout.write(`  ${fault}\n`);
  return faults.length === 0 ? 'green' : 'failed';
}

/** What was lost or changed. An empty list or map that was not there before is how some languages write its absence. */
function findChanges(before: unknown, after: unknown, place: string): string[] {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
    return before === after ? [] : [`${place}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`];
  const [old, now] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  const added = Object.keys(now).filter((name) => !(name in old) && !['[]', '{}'].includes(JSON.stringify(now[name])));
  return [
    ...added.map((name) => `${place}/${name} was added`),
    ...Object.keys(old).flatMap((name) =>
      name in now ? findChanges(old[name], now[name], `${place}/${name}`) : [`${place}/${name} was lost`],
    ),
  ];
}

/** Tells the harnesses which type each reply has; Go finds no type by its name, so its harness gets a table. */
function writeManifest(): void {
  const paths = new Map(loadContract().operations.map(({ operationId, path }) => [operationId, path]));
  const { schemas = {} } = plain['components'] as Record<string, Record<string, SchemaNode>>;
  const nameIn = (node: unknown): string =>
    String((node as SchemaNode)['$ref'])
      .split('/')
      .at(-1) ?? '';
  const lines = replies.map(({ file, operationId, status }) => {
    const name = nameIn(replySchema(plain, paths.get(operationId) ?? '', status));
    const { type, items, oneOf } = schemas[name] ?? {};
    if (type === 'array') return [file, nameIn(items), 'list'];
    return [file, name, type === undefined && oneOf === undefined ? 'any' : 'one'];
  });
  writeFileSync(manifest, lines.map((line) => `${line.join('\t')}\n`).join(''));
  const types = new Map(
    lines.map(([, name = '', kind = '']) => [`${name} ${kind}`, (kind === 'list' ? '[]' : '') + name]),
  );
  const table = [...types].filter(([key]) => !key.endsWith(' any'));
  const entries = table.map(([key, type]) => `\t"${key}": func() any { return new(${type}) },\n`).join('');
  writeFileSync(join(work, 'models.go'), `package main\n\nvar models = map[string]func() any{\n${entries}}\n`);
}

function hashOf(files: readonly string[]): string {
  const sum = createHash('sha256').update(JSON.stringify(versions));
  for (const name of readdirSync(harnesses).sort()) sum.update(readFileSync(join(harnesses, name)));
  for (const file of files) sum.update(`\n${basename(file)}\n`).update(readFileSync(file));
  return sum.digest('hex');
}
