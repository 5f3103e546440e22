import assert from 'node:assert/strict';
import { createBuyExclusiveLead } from '../../src/api/data/buy-exclusive-lead.js';
import type { LeadFeed } from '../../src/records/feeds/sold-feeds.js';
import { createLeadHolds } from '../../src/feeds/lead-holds.js';
import type { LeadColumns } from '../../src/feeds/query/lead-kind.js';

describe('buyExclusiveLead, for a feed without any sellable lead', () => {
  /** The handler over such a feed, and the number of leads that it has read. */
  function sellNone() {
    const leadHolds = createLeadHolds({
      readHolds: async () => ({ leadIds: [], exclusiveFrom: undefined }),
      momentAt: () => ({ verifiedSinceMs: 0, todays: {} }),
      now: () => new Date(),
    });
    let read = 0;
    const feed: Pick<LeadFeed, 'first' | 'read'> = {
      first: () => ({ record: { id: String(read) } as LeadColumns, version: 1 }),
      read: async () => [void read++],
    };
    const sell = createBuyExclusiveLead(
      feed as LeadFeed,
      leadHolds,
      () => new Date(),
      () => assert.fail('nothing is explained'),
    );
    return { leadHolds, sell: async () => sell({ query: {} } as Parameters<typeof sell>[0]), read: () => read };
  }

  it('reads some of them and fails, instead of reading a million in one request', async () => {
    const { leadHolds, sell, read } = sellNone();
    await assert.rejects(sell, /Too many/);
    assert.equal(read(), 21);
    assert.equal([...leadHolds.held(1)].length, 21);
    await leadHolds.refresh();
    assert.deepEqual([...leadHolds.held(2)], []);
  });
});
