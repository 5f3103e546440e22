import assert from 'node:assert/strict';
import type { ObservedListing } from '../../../src/listings/listing.js';
import type { Source } from '../../../src/sources/source.js';
import { readSource } from '../read-source.js';
import { createTestClock, createTestUpstream, rejects } from '../upstream/mock-server.js';
import { pick, type RunningServices, serveServices } from './serve-services.js';

describe('a listing service with the listings of the demonstration', () => {
  const clock = createTestClock();
  let services: RunningServices;
  let source: Source<'listings'>;
  before(async () => {
    services = await serveServices(clock.now);
    source = pick(await services.load(createTestUpstream(clock)), 'listings');
  });
  after(() => services.close());

  const offer = (revision: number) => services.offer(revision, new Date(Date.UTC(2026, 10, 10 + revision, 6)));
  const read = (watermark?: string) => readSource(() => source, { watermark });
  const byKey = (listings: readonly ObservedListing[]) => new Map(listings.map((each) => [each.sourceKey, each]));

  it('is a RESO Web API, read page by page, with a row that must be rejected', async () => {
    offer(1);
    const { taken, refused, pages } = await read();
    assert.equal(source.kind, 'reso-odata');
    assert.ok(pages.length >= 2 && taken.length >= 50, `${taken.length} listings on ${pages.length} pages`);
    assert.deepEqual(
      refused.map(({ key, reject }) => [key, reject]),
      [['BAD-1', 'missing_state']],
    );
  });

  it('returns only later changes to a later reading, including removals and returns', async () => {
    let watermark: string | undefined;
    let known = new Map<string, ObservedListing>();
    let [removed, returned] = [0, 0];
    const gone = new Set<string>();
    for (const revision of [1, 2, 3, 4, 5, 6]) {
      offer(revision);
      const changes = await read(watermark);
      if (watermark !== undefined) assert.ok(changes.taken.length < known.size / 3, `${changes.taken.length} changes`);
      known = new Map([...known, ...byKey(changes.taken)]);
      for (const { sourceKey } of changes.taken) returned += gone.delete(sourceKey) ? 1 : 0;
      for (const key of changes.removedKeys) {
        known.delete(key);
        gone.add(key);
      }
      removed += changes.removedKeys.length;
      assert.deepEqual(known, byKey((await read()).taken));
      ({ watermark } = changes);
    }
    assert.ok(removed >= 5 && returned >= 3, `${removed} removed, ${returned} returned`);
  });

  it('returns nothing to a caller with another token', async () => {
    const stranger = pick(await services.load(createTestUpstream(clock), () => 'another'), 'listings');
    await rejects(
      readSource(() => stranger),
      'upstream_refused',
      /401/,
    );
  });
});
