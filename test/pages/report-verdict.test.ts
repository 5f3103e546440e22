import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Report } from '../../generated/types.gen.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser } from '../support/browser.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';
import { watchPage, type WatchedPage } from './watch-page.js';

describe('a report in a browser', function () {
  let app: TestApp;
  let browser: Browser;
  let bought: Report;
  let watched: WatchedPage;

  before(async function () {
    browser = await openBrowser(this as never);
    app = await startTestApp({ settler: createInstantSettler() });
    const deal = [...app.feeds.deals.current().records].find(({ dscrComputed }) => dscrComputed);
    bought = (await (await buy(`${app.url}/api/deals/${deal?.id ?? ''}/report`)).json()) as Report;
    watched = await watchPage(browser, `${app.url}/report`);
  });
  after(async () => {
    await watched?.close();
    await browser?.close();
    await app?.stop();
  });

  async function draw(report: Report): Promise<void> {
    const buffer = Buffer.from(JSON.stringify(report));
    await watched.page.setInputFiles('#file', { name: 'report.json', mimeType: 'application/json', buffer });
    await watched.page.locator('#evidence').waitFor();
  }

  it('begins with the verdict: what to pay and why, what the claim is worth, and what to check first', async () => {
    const { deal, offer_range: offer } = bought;
    assert.ok(offer);
    const at = (asked: string | null, rest: object = {}, range: object | null = {}) =>
      ({
        ...bought,
        deal: {
          ...deal,
          list_price: asked,
          cap_gap_pct: '0.40',
          data_quality: [],
          underwrite_reliability: 'ok',
          ...rest,
        },
        offer_range: range && {
          ...{ ...offer, walk_away_price: '400000.00', low: '380000.00', target_cap_pct: '8.50' },
          ...{ max_price_at_target_cap: '400000.00', max_price_at_min_dscr: '450000.00', ...range },
        },
        absent: range === null ? { offer_range: { reason: 'insufficient_inputs' } } : {},
      }) as Report;
    const capped = { max_price_at_target_cap: '450000.00', max_price_at_min_dscr: '400000.00' };
    const cases: readonly (readonly [Report, string])[] = [
      [at('390000.00', {}, null), 'No price can be suggested: insufficient inputs.'],
      [at(null), 'No asking price is stated; 90% of the stated income bears at most $400,000.'],
      [
        at('390000.00', { underwrite_reliability: 'unknown' }),
        "HUD rents cannot check this claim; on 90% of the seller's income it is worth at most $400,000.",
      ],
      [
        at('390000.00'),
        'At $390,000 it earns your 8.50% and carries its debt with $10,000 of room: start at $380,000.',
      ],
      [
        at('500000.00', { cap_gap_pct: '1.20', data_quality: ['cap_implausible'] }),
        'Pay at most $400,000, 20.0% under the $500,000 asked: above it the lower of claimed and HUD income misses your ' +
          '8.50%. Start at $380,000. The seller claims 1.20 points more than HUD rents support. ' +
          'Check first: cap implausible.',
      ],
      [
        at('500000.00', { cap_gap_pct: '-1.00' }, capped),
        'Pay at most $400,000, 20.0% under the $500,000 asked: above it the lower of claimed and HUD income does not carry ' +
          'its debt. Start at $380,000. HUD rents support 1.00 points more than the seller claims.',
      ],
    ];
    for (const [report, verdict] of cases) {
      await draw(report);
      assert.equal(await watched.page.locator('#drawn .verdict').textContent(), verdict);
    }
  });

  it('lists what each source asked, and what happened', async () => {
    const [point] = bought.price_history;
    assert.ok(point);
    const history = [
      { ...point, source: 'first-brokers', event: 'listed' },
      { ...point, source: 'other-brokers', event: 'cut' },
      { ...point, source: 'other-brokers', event: null },
    ] as Report['price_history'];
    await draw({ ...bought, price_history: history });
    const rows = watched.page.getByRole('table', { name: 'Asking prices' }).locator('tbody tr');
    const told = await rows.evaluateAll((all) =>
      all.map((row) => [...row.children].slice(1, 3).map((td) => td.textContent)),
    );
    assert.deepEqual(told, [
      ['first-brokers', 'listed'],
      ['other-brokers', 'cut'],
      ['other-brokers', 'seen again'],
    ]);
  });
});
