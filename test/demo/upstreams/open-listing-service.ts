import assert from 'node:assert/strict';
import { join } from 'node:path';
import { serveDemonstration } from '../../../src/demo/upstreams/serve-demonstration.js';
import { demonstrationSourcesFile, writeDemonstrationSources } from '../../../src/demo/upstreams/demo-upstreams.js';
import { loadSources } from '../../../src/sources/registry/load-sources.js';
import type { Source } from '../../../src/sources/source.js';
import { createTestClock, createTestUpstream } from '../../sources/upstream/mock-server.js';

/** Serves a demonstration's directory, and returns its listing service as an entry of the file of sources. */
export async function openListingService(
  directory: string,
  readSecret?: (name: string) => string,
): Promise<{ source: Source<'listings'>; close(): Promise<void> }> {
  const clock = createTestClock();
  const served = serveDemonstration(directory, clock.now);
  await writeDemonstrationSources(directory, clock.now());
  const { sources, refused } = await loadSources(join(directory, demonstrationSourcesFile), {
    upstream: createTestUpstream(clock, { send: served.send }),
    now: clock.now,
    readSecret: readSecret ?? served.readSecret,
  });
  assert.deepEqual(refused, []);
  const [source] = sources.flatMap((each) => (each.delivers === 'listings' ? [each] : []));
  return { source: source ?? assert.fail('no listing service'), close: served.close };
}
