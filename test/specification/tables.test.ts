import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { auctionFields, dealFields, dealStates, endpoints, errors, signalFields } from './tables.js';
import { findProjectFile } from '../../src/project-file.js';

const path = findProjectFile('../shared/spec/service-specification.md');

describe('the tables of the service specification', () => {
  it('are complete and unchanged copies', function () {
    if (!existsSync(path)) {
      process.stderr.write(
        'SKIPPED: ../shared/spec/service-specification.md is missing, so the copied tables are not compared with it\n',
      );
      return this.skip();
    }
    const tables = readFileSync(path, 'utf8').match(/(^\|.*\|\n)+/gm) ?? [];
    const copies = [dealFields, signalFields, auctionFields, dealStates, endpoints, errors];
    assert.deepEqual(
      copies.map((copy) => copy.trim()),
      tables.map((table) => table.trim()),
    );
  });
});
