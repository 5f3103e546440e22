import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { auctionFields, dealFields, dealStates, endpoints, errors, signalFields } from './tables.js';

const path = fileURLToPath(new URL('../../../shared/spec/service-specification.md', import.meta.url));

describe('the tables of the service specification', () => {
  it('are copied without a change, and all of them', function () {
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
