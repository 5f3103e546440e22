import assert from 'node:assert/strict';
import type { SoldFeeds } from '../../src/records/feeds/sold-feeds.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { createFindUnpublishedOf } from '../../src/api/unpublished.js';

const now = (): Date => new Date('2026-11-22T04:59:55.000Z');
const nextRun = new Date('2026-11-22T05:00:00.000Z');
const feed = { isPublished: () => false, isReadable: () => true };
const feeds = { deals: feed, signals: feed, auctions: feed, leads: feed } as unknown as SoldFeeds;
const listDeals = loadContract().operations.find(({ operationId }) => operationId === 'listDeals');

describe('the refusal of a feed that was never published', () => {
  function refuse(demonstration: boolean) {
    assert.ok(listDeals);
    return createFindUnpublishedOf({ feeds, demonstration, nextRunOf: () => nextRun, now })(listDeals)?.();
  }

  it('names the wait of the demonstration', () => {
    const refusal = refuse(true);
    assert.equal(refusal?.message, 'Deals are published for the first time; first data in about 10 seconds.');
    assert.equal(refusal.details.retryAfterSeconds, 5);
  });

  it('names no duration in words where real data is sold: only Retry-After has the seconds until the next reading', () => {
    const refusal = refuse(false);
    assert.equal(
      refusal?.message,
      'Deals are published for the first time; ask again after Retry-After. Nothing was billed.',
    );
    assert.equal(refusal.details.retryAfterSeconds, 5);
  });
});
