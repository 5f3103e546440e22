import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectFile } from '../../src/project-file.js';
import { findUnportable } from './portable-sql.js';
import type { Recorded } from './record-statements.js';

// `npm run check:sql -- <folder>`: whether the SQL that a test run has recorded there is portable. Fails where it is
// not, and where a file that has SQL recorded nothing.

/** What is wanted all the same, by file. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  // docs/decisions/payments.md: holds follow their leads.
  'src/payments/ledger/holds-store.ts': ['LOCK TABLE'],
  // 001-initial.sql: to plan these questions takes longer than to answer them. DO: compression where there is one.
  'src/db/migrate.ts': ['a function', 'DO', 'a table without a primary key'],
};
/** Only here is a session prepared. */
const sessions = /^src\/db\//;

const [folder = ''] = process.argv.slice(2);
const recorded = readRecorded();
const findings: string[] = [];
for (const { file, text } of recorded) {
  const place = `${file}: ${text.trim().replace(/\s+/g, ' ').slice(0, 120)}`;
  const found = await findUnportable(text).catch(() => ['it cannot be parsed']);
  const bad = found.filter(
    (each) => !wanted[file]?.includes(each) && !(each === 'SET of a session' && sessions.test(file)),
  );
  findings.push(...bad.map((each) => `${each} in ${place}`));
}
const heard = new Set(recorded.map(({ file }) => file));
for (const file of listFilesWithSql()) if (!heard.has(file)) findings.push(`no test has run a statement of ${file}`);

const summary = `${recorded.length} statements of ${heard.size} files: ${findings.length} findings`;
process.stdout.write([...findings, summary, ''].join('\n'));
process.exitCode = findings.length > 0 || recorded.length === 0 ? 1 : 0;

function readRecorded(): readonly Recorded[] {
  if (folder === '') throw new Error('Give the folder that a test run with RECORD_STATEMENTS=<folder> has filled.');
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  return [...new Set(lines)].map((line) => JSON.parse(line) as Recorded);
}

function listFilesWithSql(): readonly string[] {
  return ['src', 'jobs']
    .flatMap((root) => readdirSync(findProjectFile(root), { recursive: true }).map((name) => join(root, String(name))))
    .filter((path) => path.endsWith('.ts') && !path.startsWith('src/db/'))
    .filter((path) => /\.raw[<(]|\b(runNamed|askNamed)\(/.test(readFileSync(findProjectFile(path), 'utf8')));
}
