import assert from 'node:assert/strict';
import type { Problem } from '../../../generated/types.gen.js';
import { shareApp, type SharedApp } from '../../support/shared-app.js';

describe('a count whose parameters fit their schemas and mean nothing', () => {
  let app: SharedApp;
  before(async () => (app = await shareApp()));

  const told = async (path: string) => {
    const reply = await fetch(app.url + path);
    const { errors = [] } = (await reply.json()) as Partial<Problem>;
    return { status: reply.status, errors: errors.map(({ parameter, detail }) => `${parameter}: ${detail}`) };
  };

  const day = 'a date such as 2026-12-01';
  for (const [query, fault] of [
    ['of=deals&first_seen_since=2026-13-01', `first_seen_since: ${day}`],
    ['of=deals&price_cut_since=2026-02-30', `price_cut_since: ${day}`],
    ['of=signals&first_seen_since=2031-01-01', 'first_seen_since: a moment that has passed'],
    ['of=auctions&from_date=2026-13-01', 'from_date: a date such as 2026-12-01'],
    ['of=leads&to_date=2026-13-01', 'to_date: a date such as 2026-12-01'],
    ['of=events&since=2026-13-01', `since: ${day}`],
    ['of=deals&radius=5', 'radius: radius needs near'],
    ['of=auctions&sale_status=sold', 'sale_status: sold needs include_past=true'],
  ] as const)
    it(`${query} is the fault that the paid call would have`, async () => {
      const counted = await told(`/api/count?${query}`);
      assert.deepEqual(counted, { status: 400, errors: [fault] });
      const path = query.replace(/of=(\w+)&/, '/api/$1?');
      assert.deepEqual((await told(path)).errors, counted.errors);
    });

  it('sort=distance without near is none: a count has no order', async () => {
    assert.equal((await told('/api/count?of=deals&sort=distance')).status, 200);
  });
});
