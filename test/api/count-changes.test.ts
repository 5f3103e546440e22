import assert from 'node:assert/strict';
import type { Client } from '../../generated/client/index.js';
import { countChanges } from '../../generated/sdk.gen.js';
import { getMeta } from '../support/full-deals.js';
import { known } from '../../src/absence.js';
import type { ObservedListing } from '../../src/listings/listing.js';
import { observe } from '../listings/observation.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { clock, licence as plainLicence } from '../sources/ingest/scripted-source.js';
import { createApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readSource } from '../support/read-source.js';

const startedAt = Date.parse('2026-11-02T08:00:00.000Z');
const hourMs = 3_600_000;
const at = (hours: number): string => new Date(startedAt + hours * hourMs).toISOString();

describe('countChanges', () => {
  let app: TestApp;
  let client: Client;
  let nowMs = startedAt;
  const source = createScriptedDelivery('listings', { name: 'broker' });

  before(async () => {
    app = await startTestApp({ withData: false, now: () => new Date(nowMs) });
    client = createApiClient(app.url);
  });
  after(() => app.stop());

  function offer(number: number, listPrice = '400000.00'): ObservedListing {
    return observe({
      sourceKey: `b${number}`,
      address: known(`${number} Example Ave`),
      city: 'Cleveland',
      state: 'OH',
      zip: known('44105'),
      listPrice: known(listPrice),
      units: known(4),
      capRate: known('9.50'),
    });
  }

  /** Reads and publishes an offer of listings, `hours` after the start. */
  async function publish(
    extent: 'all' | 'changed',
    hours: number,
    offered: readonly ObservedListing[],
    partner?: typeof source,
  ): Promise<void> {
    nowMs = startedAt + hours * hourMs;
    clock.now = new Date(nowMs);
    source.deliver({ pages: [offered] });
    await readSource(app, source);
    if (partner !== undefined) await readSource(app, partner);
    await app.pipeline.publish(extent);
  }

  async function ask(since: string) {
    const { data, response } = await countChanges({ client, query: { since } });
    assert.equal(response?.status, 200);
    return data ?? assert.fail('The reply has no body.');
  }

  const nothing = { added: 0, removed: 0, repriced: 0, states: [] };
  const inOhio = (counts: { added: number; removed: number; repriced: number }) => ({
    ...counts,
    states: [{ state: 'OH', ...counts }],
  });

  it('counts nothing before the first publication', async () => {
    const since = at(-1);
    const deals = nothing;
    assert.deepEqual(await ask(since), { since, counted_from: since, next_since: since, feed_version: 0, deals });
  });

  it('counts the records of the first publication', async () => {
    await publish('all', 1, [offer(1), offer(2), offer(3)]);
    assert.deepEqual(await ask(at(-1)), {
      since: at(-1),
      counted_from: at(-1),
      next_since: at(1),
      feed_version: 1,
      deals: inOhio({ added: 3, removed: 0, repriced: 0 }),
    });
  });

  it('counts additions, removals and price changes of a partial and of a full publication', async () => {
    await publish('changed', 2, [offer(1, '350000.00'), offer(2), offer(4)]);
    const changed = await ask(at(1));
    assert.deepEqual(changed.deals, inOhio({ added: 1, removed: 1, repriced: 1 }));
    await publish('all', 3, [offer(1, '340000.00'), offer(2), offer(4)]);
    assert.deepEqual((await ask(changed.next_since)).deals, inOhio({ added: 0, removed: 0, repriced: 1 }));
    assert.deepEqual((await ask(at(1))).deals, inOhio({ added: 1, removed: 1, repriced: 2 }));
  });

  it('counts nothing twice for a caller that continues with next_since', async () => {
    const { next_since: next, feed_version: version } = await ask(at(0));
    assert.equal(next, at(3));
    assert.deepEqual(await ask(next), {
      since: next,
      counted_from: next,
      next_since: next,
      feed_version: version,
      deals: nothing,
    });
    const { data: meta } = await getMeta({ client });
    assert.equal(meta?.feed_versions.deals, version);
  });

  it('returns 304 while nothing has changed', async () => {
    const query = { since: at(0) };
    const { response } = await countChanges({ client, query });
    const headers = { 'If-None-Match': response?.headers.get('etag') ?? assert.fail('There is no ETag.') };
    nowMs += hourMs;
    const again = await countChanges({ client, query, headers });
    assert.equal(again.response?.status, 304);
    await publish('changed', 5, [offer(1, '330000.00'), offer(2), offer(4)]);
    const moved = await countChanges({ client, query, headers });
    assert.equal(moved.response?.status, 200);
    assert.deepEqual(moved.data?.deals, inOhio({ added: 4, removed: 1, repriced: 3 }));
  });

  const refused = {
    '': 'missing_parameter',
    '?since=': 'invalid_parameter',
    '?since=yesterday': 'invalid_parameter',
    '?since=2026-11-02': 'invalid_parameter',
    '?since=2026-02-30T08:00:00Z': 'invalid_parameter',
    '?since=2026-11-02T23:59:60Z': 'invalid_parameter',
    '?since=2026-11-02T08:00:00%2B01:00': 'invalid_parameter',
    '?since=0000-01-01T00:00:00Z': 'invalid_parameter',
    [`?since=${at(6)}`]: 'invalid_parameter',
    [`?sinse=${at(0)}`]: 'missing_parameter',
  };
  for (const [query, reason] of Object.entries(refused))
    it(`refuses "${query}" as ${reason}, and requires no payment`, async () => {
      nowMs = startedAt + 5 * hourMs;
      const response = await fetch(`${app.url}/api/changes${query}`);
      const problem = (await response.json()) as { reason: string; billed: boolean; errors: { reason: string }[] };
      assert.deepEqual([response.status, problem.billed], [400, false]);
      assert.ok(problem.errors.some((error) => error.reason === reason));
      assert.equal(response.headers.get('payment-required'), null);
    });

  it('accepts a moment of whole seconds, and returns it with milliseconds', async () => {
    assert.equal((await ask('2026-11-02T08:00:00Z')).since, '2026-11-02T08:00:00.000Z');
  });

  it('reports the start of its counts after older counts are deleted', async () => {
    const hours = 90 * 24 + 4;
    await publish('changed', hours, [offer(1, '320000.00'), offer(2), offer(4)]);
    const { since, counted_from: from, next_since: next, deals } = await ask(at(0));
    assert.deepEqual([since, from, next], [at(0), at(3), at(hours)]);
    assert.deepEqual(deals, inOhio({ added: 0, removed: 0, repriced: 2 }));
  });

  it('counts suppressed deals, and deals whose licence forbids sales, as removed', async () => {
    const hours = 91 * 24;
    const licence = { ...plainLicence, expiresAt: new Date(startedAt + (hours + 2) * hourMs) };
    const partner = createScriptedDelivery('listings', { name: 'partner', licence });
    partner.deliver({ pages: [[offer(7), offer(8)]] });
    await publish('changed', hours, [offer(1, '320000.00'), offer(2), offer(4)], partner);
    nowMs += hourMs;
    await app.pipeline.suppress({ address: '2 Example Ave, Cleveland, OH 44105', reason: 'asked for' });
    await app.pipeline.publishIfBehind();
    assert.deepEqual((await ask(at(hours))).deals, inOhio({ added: 0, removed: 1, repriced: 0 }));
    nowMs += hourMs;
    await app.pipeline.publishIfBehind();
    assert.deepEqual((await ask(at(hours + 1))).deals, inOhio({ added: 0, removed: 2, repriced: 0 }));
    assert.deepEqual((await ask(at(hours - 1))).deals, inOhio({ added: 2, removed: 3, repriced: 0 }));
  });
});
