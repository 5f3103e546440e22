import assert from 'node:assert/strict';
import { Rendered } from '../../src/contract/rendered.js';
import { createDealFeed } from '../../src/feeds/deal-feed.js';
import { createDealSnapshot } from '../../src/feeds/deal-snapshot.js';
import { createPageTokens } from '../../src/feeds/page-token.js';
import type { PublishedDeal } from '../../src/feeds/published-deal.js';

describe('a page of the deals feed', () => {
  const tokens = createPageTokens('a secret of these tests, long enough');
  const request = { filter: { state: 'OH' }, limit: 2 };

  /** Three deals under a version, seen at a time that the test moves. */
  function openFeed() {
    const clock = { ms: 0 };
    const feed = createDealFeed<unknown, unknown>(tokens, () => new Date(clock.ms));
    const record = new Rendered<unknown>([Buffer.from('{}')], 2);
    const deals = [3, 2, 1].map((dealScore): PublishedDeal => ({
      id: `00000000-0000-4000-8000-00000000000${dealScore}`,
      state: 'OH',
      city: 'Columbus',
      priceCents: 1,
      capHundredths: 850,
      units: 4,
      dealScore,
      confidenceHundredths: 50,
      rentalStatus: 'Hot',
      dscrComputed: true,
      lastVerified: new Date(0),
      full: record,
      basic: record,
    }));
    const publish = (version: number) => feed.replace(createDealSnapshot(version, new Date(0), deals));
    publish(1);
    return { feed, clock, publish };
  }

  it('is one and the same body as long as its version is current, so that its digest is made once', () => {
    const { feed, clock, publish } = openFeed();
    const { body } = feed.fullPage(request);
    clock.ms = 3 * 3_600_000;
    assert.equal(feed.fullPage(request).body, body);
    publish(2);
    assert.notEqual(feed.fullPage(request).body, body);
  });

  it('has a link that is good for 30 minutes, whenever it is sold', () => {
    const { feed, clock } = openFeed();
    for (const minutes of [0, 1, 29, 61]) {
      clock.ms = minutes * 60_000 + 59_999;
      const { next } = feed.fullPage(request);
      assert.ok(next);
      assert.equal(typeof tokens.redeem(next, new Date(clock.ms + 30 * 60_000)), 'object', `after ${minutes} minutes`);
      assert.equal(tokens.redeem(next, new Date(clock.ms + 31 * 60_000 + 1)), 'expired', `after ${minutes} minutes`);
    }
  });

  it('has no link when nothing comes after it', () => {
    const { feed } = openFeed();
    assert.equal(feed.fullPage({ ...request, limit: 3 }).next, undefined);
  });
});
