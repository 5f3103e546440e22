import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import codegenConfig from '../../codegen.config.js';
import { findProjectFile } from '../../src/project-file.js';
import { renderEnvExample, renderSettingsPage } from '../../src/config/settings.js';
import { renderRunbook } from '../../src/operator/checks/checks.js';
import { centroidsPath, renderCentroids } from './zip-centroids.js';

// `npm run check:drift`: each committed generated file equals its current output.

interface Derived {
  /** Committed paths, relative to the project's root. */
  readonly name: string;
  /** The command that generates them. */
  readonly cure: string;
  /** The committed files that differ from their output, by path, including missing and surplus ones. */
  findDrift(): Promise<readonly string[]>;
}

const derived: readonly Derived[] = [
  { name: 'generated/', cure: 'npm run codegen', findDrift: findGeneratedDrift },
  {
    name: '.env.example',
    cure: 'npm run env:example',
    findDrift: async () => compareText('.env.example', renderEnvExample()),
  },
  {
    name: 'docs/settings.md',
    cure: 'npm run settings',
    findDrift: async () => compareText('docs/settings.md', renderSettingsPage()),
  },
  {
    name: 'docs/runbook.md',
    cure: 'npm run runbook',
    findDrift: async () =>
      compareText('docs/runbook.md', renderRunbook(readFileSync(findProjectFile('docs/runbook.md'), 'utf8'))),
  },
  {
    name: centroidsPath,
    cure: 'npm run centroids',
    findDrift: async () => compareText(centroidsPath, renderCentroids()),
  },
];

let drifted = 0;
for (const { name, cure, findDrift } of derived) {
  const files = await findDrift();
  if (files.length === 0) continue;
  drifted += 1;
  const which = name.endsWith('/') ? ` (${files.join(', ')})` : '';
  process.stderr.write(`${name} is out of date${which}. Run: ${cure}\n`);
}
if (drifted === 0) process.stdout.write(`No drift: ${derived.map(({ name }) => name).join(', ')}\n`);
process.exit(drifted === 0 ? 0 : 1);

async function findGeneratedDrift(): Promise<string[]> {
  const made = mkdtempSync(join(tmpdir(), 'generated-'));
  try {
    const config = await codegenConfig;
    if (Array.isArray(config) || typeof config.output !== 'object' || Array.isArray(config.output))
      throw new Error('codegen.config.ts is expected to make one output, described by an object.');
    await createClient({ ...config, output: { ...config.output, path: made }, logs: { level: 'silent' } });
    const committed = findProjectFile('generated');
    const names = new Set([...listFiles(committed), ...listFiles(made)]);
    return [...names].filter((name) => read(join(committed, name)) !== read(join(made, name))).sort();
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function compareText(name: string, expected: string): string[] {
  return read(findProjectFile(name)) === expected ? [] : [name];
}

/** Undefined when there is no such file. */
function read(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : undefined;
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
}
