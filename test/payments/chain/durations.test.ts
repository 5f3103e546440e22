import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectFile } from '../../../src/project-file.js';

/** A name that counts blocks, where it is given a value or a type: a constant, a field, a column, a setting. */
const count =
  /\b\w+_?blocks['"]?\??\s*[:=]|\bblocks_?per\w*\??\s*[:=]|\b(?:const|let|readonly) \w*blocks\w*\b|^\s*\w+_blocks?\s+(?:big)?int/i;
/** What one RPC call takes, a depth, the measured cadence, and the places of proofs; texts in blocks. */
const allowed =
  /blocksPer(?:Call|Second)\b|RPC_BLOCKS_PER_CALL|CONFIRMATIONS|(?:from|to|settle|block)_(?:block|number)\b|const blocks = parts/;
/** A number of blocks that stands for a time, and what was said of Base before it made its blocks in 200 ms. */
const duration =
  /\b\d[\d,_]*n? blocks\b.*\b(?:seconds?|minutes?|hours?|days?)\b|\b(?:second|minute|hour|day)s? (?:on|of) (?:Base|blocks)\b|preconfirmation|set 2 to wait/i;

const files = [
  ...['README.md', 'CONTRIBUTING.md', 'openapi.yaml', '.env.example'],
  ...['src', 'jobs', 'docs'].flatMap((folder) =>
    readdirSync(findProjectFile(folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|sql|md)$/.test(name))
      .map((name) => join(folder, name)),
  ),
];

function findLines(isFault: (line: string) => boolean): readonly string[] {
  return files.flatMap((file) =>
    readFileSync(findProjectFile(file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (isFault(line) ? `${file}:${index + 1} ${line.trim()}` : [])),
  );
}

describe('a duration', () => {
  it('is never a number of blocks: no constant, setting, field or column counts them', () => {
    assert.deepEqual(
      findLines((line) => count.test(line) && !allowed.test(line)),
      [],
    );
    for (const line of ['const lookBackBlocks = 2_000n;', '  readonly reorgBlocks: bigint;', '  recent_blocks bigint,'])
      assert.ok(count.test(line), line);
  });

  it('is never said in blocks', () => {
    assert.deepEqual(
      findLines((line) => duration.test(line)),
      [],
    );
  });

  it('of a payment is kept in times', () => {
    const schema = readFileSync(findProjectFile('src/db/migrations/001-initial.sql'), 'utf8');
    const [, columns = ''] = /create table payments \(([^;]*)\);/.exec(schema) ?? [];
    assert.deepEqual(columns.match(/\w*block\w*/g), ['settle_block']);
    assert.match(columns, /search_from timestamptz not null/);
  });
});
