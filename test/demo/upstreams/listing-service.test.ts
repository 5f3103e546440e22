import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeDemonstrationData } from '../../../src/demo/data/write-demonstration-data.js';
import type { ObservedListing } from '../../../src/listings/listing.js';
import { readSource } from '../../sources/read-source.js';
import { rejects } from '../../sources/upstream/mock-server.js';
import { openListingService } from './open-listing-service.js';

describe('the listing service of the demonstration', () => {
  const directory = mkdtempSync(join(tmpdir(), 'listing-service-'));
  let service: Awaited<ReturnType<typeof openListingService>>;
  before(async () => {
    service = await openListingService(directory);
  });
  after(async () => {
    await service.close();
    rmSync(directory, { recursive: true });
  });

  const offer = (revision: number) =>
    writeDemonstrationData(directory, { revision, day: new Date(Date.UTC(2026, 10, 10 + revision, 6)) });
  const read = (watermark?: string) => readSource(() => service.source, { watermark });
  const byKey = (listings: readonly ObservedListing[]) => new Map(listings.map((each) => [each.sourceKey, each]));

  it('is a RESO Web API, read page by page, with a row that must be rejected', async () => {
    await offer(1);
    const { taken, refused, pages } = await read();
    assert.equal(service.source.kind, 'reso-odata');
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
      await offer(revision);
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
    const stranger = await openListingService(directory, () => 'another');
    await rejects(
      readSource(() => stranger.source),
      'upstream_refused',
      /401/,
    );
    await stranger.close();
  });
});
