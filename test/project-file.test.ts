import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findProjectFile, readTable } from '../src/project-file.js';

describe('readTable', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'table-'))));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  function read(text: string) {
    const path = join(directory, 'table.csv');
    writeFileSync(path, text);
    return readTable(relative(findProjectFile('.'), path), { zip: /^\d{5}$/, name: /^\w*$/ });
  }

  it('returns the rows behind the comment and the header', () => {
    assert.deepEqual(read('# Source: nobody.\nzip,name\n44105,a\n00601,\n'), [
      { zip: '44105', name: 'a' },
      { zip: '00601', name: '' },
    ]);
  });

  for (const [fault, text] of [
    ['another header', 'name,zip\na,44105\n'],
    ['a value of another form', 'zip,name\n4410,a\n'],
    ['a value too few', 'zip,name\n44105\n'],
    ['a value too many', 'zip,name\n44105,a,b\n'],
    ['an empty line', 'zip,name\n\n44105,a\n'],
    ['nothing', ''],
  ] as const)
    it(`refuses a file with ${fault}`, () => assert.throws(() => read(text), /table\.csv/));
});
