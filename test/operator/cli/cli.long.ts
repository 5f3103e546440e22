import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dropListings } from '../../support/drop-listings.js';
import { invocation } from './invocation.js';

const run = promisify(execFile);

describe('npm run cli, where no server runs', () => {
  it('takes a delivery through to the feed, step by step', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cli-'));
    try {
      const cli = async (...words: string[]) => (await run(...invocation(directory, words))).stdout;
      dropListings(join(directory, 'drop'));
      assert.match(await cli('ingest', 'brokers'), /^ingest brokers done in .*: status completed, .*created 1/);
      assert.match(await cli('underwrite'), /^underwriting done in .*: .*active 1, changed 1/);
      assert.match(await cli('publish'), /^publish done in .*: .*active 1, changed 0/);
      assert.match(await cli('sources'), /brokers +drop-folder +listings +fresh +1 /);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
