import assert from 'node:assert/strict';
import type { Deal, DealIds, Lookup, Report } from '../../generated/types.gen.js';
import { livePath } from '../support/live-path.js';
import { type Served, thresholdCity } from './served.js';

/** Compares an endpoint's reply with the response in the specification. */
export async function assertResponse(path: string, served: Served): Promise<void> {
  const hold = responses[path];
  assert.ok(hold, `nothing is asserted of the response of ${path}`);
  await hold(served);
}

const responses: Readonly<Record<string, (served: Served) => void | Promise<void>>> = {
  '/api/meta': ({ meta }) => assert.ok(meta.coverage.active_records > 0),

  async '/api/deals'({ deals, settler, buyAt }) {
    const scores = deals.map(({ deal_score: score }) => score);
    assert.deepEqual(
      scores,
      [...scores].sort((one, other) => other - one),
    );
    const slice = (await buyAt('/api/deals?state=OH&min_units=4')) as Deal[];
    const matching = deals.filter(({ state, units }) => state === 'OH' && (units ?? 0) >= 4);
    assert.ok(slice.length > 0 && slice.length < deals.length);
    assert.deepEqual(slice, matching);
    assert.equal(settler.settled.at(-1)?.value, 50_000n, 'the same price');
  },

  '/api/deals/hot'({ deals, hotDeals }) {
    const expected = deals.filter(({ cap_rate: cap, dscr_status: status }) => isHot(cap, status));
    assert.ok(expected.length > 0 && expected.length < deals.length);
    assert.deepEqual(hotDeals, expected);
    const atThreshold = deals.filter(({ city }) => city === thresholdCity);
    assert.deepEqual(atThreshold.map(({ cap_rate: cap, dscr_status: status }) => `${cap} ${status}`).sort(), [
      '8.49 computed',
      '8.50 computed',
    ]);
    assert.deepEqual(
      hotDeals.filter(({ city }) => city === thresholdCity).map(({ cap_rate: cap }) => cap),
      ['8.50'],
    );
  },

  '/api/signals'({ signals: { signals, schema_notes: notes, total } }) {
    const amounts = signals.map(({ amount }) => Number(amount));
    assert.deepEqual(
      amounts,
      [...amounts].sort((one, other) => other - one),
    );
    assert.equal(total, signals.length);
    assert.match(notes['address_status'] ?? '', /pending_parcel_lookup/);
    const statuses = new Set(signals.map(({ address_status: status }) => status));
    assert.deepEqual([...statuses].sort(), ['complete', 'pending_parcel_lookup']);
  },

  async '/api/auctions'({ auctions, buyAt, app }) {
    const toCome = (await buyAt('/api/auctions')) as typeof auctions;
    const today = app.now().toISOString().slice(0, 10);
    const future = auctions.filter(({ sale_date: date }) => date >= today);
    assert.ok(future.length > 0 && future.length < auctions.length);
    assert.deepEqual(toCome, future);
  },

  async '/api/deals/{id}/report'({ deals, buyAt }) {
    const deal = deals.find(({ cap_gap_pct: gap }) => gap !== null) ?? assert.fail();
    const report = (await buyAt(`/api/deals/${deal.id}/report`)) as Report;
    assert.deepEqual(report.deal, deal);
    const { claimed, hud, gap, assumption_set: assumptions } = report.underwriting;
    assert.deepEqual(
      [claimed.cap_rate, hud.cap_rate, gap.cap_rate],
      [deal.cap_rate, deal.cap_rate_underwritten, deal.cap_gap_pct],
    );
    assert.equal(claimed.dscr, deal.dscr);
    assert.deepEqual(Object.keys(report.scoring.rationales).sort(), ['creative', 'rental', 'wholesale']);
    assert.ok(Array.isArray(report.signals) && Array.isArray(report.auctions));
    assert.equal(Number(assumptions.target_cap_pct), 8.5);
    assert.ok(report.offer_range !== null || report.absent.offer_range);
  },

  async '/api/lookup'({ app, buyAt }) {
    const { matches, possible_matches: possible, query } = (await buyAt(livePath(app, '/api/lookup'))) as Lookup;
    assert.ok(query.length > 0 && matches.length > 0 && Array.isArray(possible));
  },

  '/api/deals/basic'({ deals, basicDeals }) {
    const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
    assert.deepEqual(ids(basicDeals), ids(deals));
  },

  '/api/leads': async ({ buyAt }) => assert.ok(((await buyAt('/api/leads')) as unknown[]).length > 0),

  '/api/leads/exclusive': async ({ buyAt }) => assert.ok(await buyAt('/api/leads/exclusive')),

  '/api/deals/ids'({ ids, deals }) {
    const { count, ids: listed }: DealIds = ids;
    assert.equal(count, deals.length);
    assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set(deals.map(({ id }) => id)));
  },
};

/** The hot feed of the specification: advertised cap of 8.5% or more, and a computed DSCR. */
function isHot(capRate: string | null, dscrStatus: string): boolean {
  return capRate !== null && Number(capRate) >= 8.5 && dscrStatus === 'computed';
}
