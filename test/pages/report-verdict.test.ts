import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import type { Report } from '../../generated/types.gen.js';
import { findProjectFile } from '../../src/project-file.js';
import { doubtsOf } from '../../src/underwriting/plausibility.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { shareBrowser } from '../support/browser.js';
import { buy } from '../support/pay.js';
import { watchPage, type WatchedPage } from './watch-page.js';

/** The codes of `data_quality` that keep no deal from Hot. */
const informing = [
  'expenses_incomplete',
  'cap_noi_disagree',
  'hud_rent_stale',
  'address_not_parsed',
  'sources_disagree',
];

describe('a report in a browser', function () {
  let app: SharedApp;
  let browser: Browser;
  let bought: Report;
  let watched: WatchedPage;

  before(async function () {
    browser = await shareBrowser(this as never);
    app = await shareApp();
    const deal = [...app.feeds.deals.current().records].find(({ dscrComputed }) => dscrComputed);
    bought = (await (await buy(`${app.url}/api/deals/${deal?.id ?? ''}/report`)).json()) as Report;
    watched = await watchPage(browser, `${app.url}/report`);
  });
  after(() => watched?.close());

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
      [at('390000.00', {}, null), 'No price can be suggested: too little is known to compute it.'],
      [at(null), 'No asking price is stated; 90% of the stated income bears at most $400,000.'],
      [
        at('390000.00', { underwrite_reliability: 'unknown' }),
        "HUD rents cannot check this claim; on 90% of the seller's income it is worth at most $400,000.",
      ],
      [
        at('390000.00'),
        'At $390,000 it earns your 8.50% target cap and carries its debt with $10,000 of room: start at $380,000.',
      ],
      [
        at('500000.00', { cap_gap_pct: '1.20', data_quality: ['cap_implausible'] }),
        'Pay at most $400,000, 20.0% under the $500,000 asked: above it the lower of claimed and HUD income misses your ' +
          '8.50% target cap. Start at $380,000. The seller claims 1.20 points more than HUD rents support. ' +
          'Check first: the advertised cap rate is not plausible for this building.',
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

  it('says each code of data_quality in words of a sentence', async () => {
    for (const flag of [...Object.keys(doubtsOf), ...informing]) {
      await draw({ ...bought, deal: { ...bought.deal, data_quality: [flag] } } as Report);
      const verdict = (await watched.page.locator('#drawn .verdict').textContent()) ?? '';
      assert.match(verdict, /Check first: (the|an|sources|stated|HUD) [^_]+\.$/, flag);
      assert.ok(!verdict.includes(flag.replaceAll('_', ' ')), flag);
    }
  });

  it('is drawn as uw-1.0.0 sold it: its own offer, its expenses, and every section', async () => {
    const sold = JSON.parse(
      readFileSync(findProjectFile('test/payments/status/report-of-uw-1.0.0.txt'), 'utf8'),
    ) as Report;
    await draw(sold);
    const verdict = await watched.page.locator('#drawn .verdict').textContent();
    assert.equal(
      verdict,
      'Offer $272,000 to $305,000: above it the income misses your 8.50% target cap. ' +
        'Check first: HUD has newer rents than the ones used.',
    );
    const text = (await watched.page.locator('#drawn').textContent()) ?? '';
    assert.doesNotMatch(text, /null|undefined|NaN/);
    for (const told of ['uw-1.0.0', '$25,180', '$345,000', '$296,000']) assert.ok(text.includes(told), told);
    watched.assertClean();
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
