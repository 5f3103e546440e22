import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { Report } from '../../generated/types.gen.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { shareBrowser } from '../support/browser.js';
import { askPrice, signPayment } from '../support/pay.js';
import { loadScript } from './load-script.js';
import { watchPage, type WatchedPage } from './watch-page.js';

const { reasonWords } = await loadScript<{ reasonWords(reason: string): string }>('figures.js');

describe('the report viewer in a browser', function () {
  let app: SharedApp;
  let browser: Browser;
  let bought: { readonly text: string; readonly report: Report; readonly payment: string };
  let bare: Report;
  let watched: WatchedPage;

  before(async function () {
    browser = await shareBrowser(this as never);
    app = await shareApp();
    const { records } = app.feeds.deals.current();
    bought = await buyReport([...records].find(({ dscrComputed }) => dscrComputed)?.id ?? '');
    // The feed's last deals have the most absences.
    bare = (await buyReport(records.at(records.length - 1)?.id ?? '')).report;
  });
  beforeEach(async () => (watched = await watchPage(browser, `${app.url}/report`)));
  afterEach(() => watched?.close());

  async function buyReport(id: string) {
    const url = `${app.url}/api/deals/${id}/report`;
    const payment = await signPayment(await askPrice(url));
    const text = await (await fetch(url, { headers: { 'PAYMENT-SIGNATURE': payment } })).text();
    return { text, report: JSON.parse(text) as Report, payment };
  }

  const choose = (page: Page, text: string) =>
    page.setInputFiles('#file', { name: 'report.json', mimeType: 'application/json', buffer: Buffer.from(text) });

  async function draw(report: Report): Promise<string> {
    const { page } = watched;
    await choose(page, JSON.stringify(report));
    await page.locator('#evidence').waitFor();
    return plain(page);
  }

  /** The text of the page, including folded parts, with figures as in JSON. */
  const plain = async (page: Page): Promise<string> =>
    ((await page.locator('#drawn').textContent()) ?? '').replace(/[$,]/g, '').replaceAll('−', '-');

  /** Every decimal figure in a value. */
  function figuresOf(value: unknown): string[] {
    if (typeof value === 'string') return /^-?\d+\.\d+$/.test(value) ? [value] : [];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(figuresOf) : [];
  }

  it('displays a bought report: every figure of its underwriting, scores and offer range is on the page', async () => {
    const { report } = bought;
    const text = await draw(report);
    const { rationales, motivation_signals: _, ...scores } = report.scoring;
    const { thresholds: _limits, ...dealScore } = scores.deal_score;
    const shown = [report.underwriting, report.offer_range, report.price_history, dealScore, scores.confidence];
    const checks = Object.values(rationales).flatMap(({ checks: each }) => each);
    const figures = figuresOf([...shown, checks, report.market.measures]);
    assert.ok(figures.length > 80);
    // Dollars are whole from 100 on.
    const missing = figures.filter(
      (figure) =>
        !text.includes(figure.replace(/\.0+$|(?<=\.\d*)0+$/, '')) && !text.includes(String(Math.round(Number(figure)))),
    );
    assert.deepEqual(missing, []);
    for (const { source_url: url } of report.provenance.filter((each) => each.source_url !== null)) {
      assert.ok((await watched.page.locator(`#drawn a[href="${url ?? ''}"]`).count()) > 0, url ?? '');
    }
    watched.assertClean();
  });

  it('displays a report with many absences, each with its reason', async () => {
    const text = await draw(bare);
    const { absent } = bare.deal;
    const absences = [absent.list_price, absent.cap_rate, absent.dscr, absent.units].filter(
      (each) => each !== undefined,
    );
    assert.ok(absences.length > 1);
    for (const { reason } of absences) assert.ok(text.includes(`— ${reasonWords(reason)}`), reason);
    assert.doesNotMatch(text, /null|undefined|NaN/);
    watched.assertClean();
  });

  it('shows the heat map of each measure, readable without its colors', async () => {
    await draw(bought.report);
    const { page } = watched;
    const rows = bought.report.underwriting.sensitivity ?? assert.fail('no sensitivity');
    for (const [name, field] of [
      ['Debt-service coverage', 'dscr'],
      ['Cap rate', 'cap_rate'],
      ['Cash flow, a year', 'cash_flow'],
      ['Net operating income, a year', 'noi'],
    ] as const) {
      await page.getByLabel(name, { exact: true }).check();
      const cells = page.locator('.heat:not([hidden]) td');
      const texts = (await cells.allInnerTexts()).map((text) => text.replace(/[$,]/g, '').replaceAll('−', '-'));
      assert.equal(texts.length, rows.length + 4);
      for (const row of rows) {
        const value = row[field] ?? '—';
        const figure = Math.abs(Number(value)) >= 100 ? String(Math.round(Number(value))) : value.replace(/\.00$/, '');
        assert.ok(
          texts.some((text) => text.includes(figure)),
          `${name} ${row.driver} ${row.change}`,
        );
      }
      assert.equal(await page.locator('.heat:not([hidden]) caption').innerText(), name);
    }
  });

  it('links the evidence to its public records, and only to http addresses', async () => {
    const { report } = bought;
    const [first, ...others] = report.provenance;
    assert.ok(first);
    const hostile = { ...first, source_url: 'javascript:document.title="taken"', source: 'A hostile source' };
    await draw({ ...report, provenance: [hostile as typeof first, first, ...others] });
    const links = await watched.page
      .locator('#drawn a')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    assert.ok(links.length > 0);
    for (const address of links) assert.match(address ?? '', /^https?:\/\//);
  });

  it('writes text of a report as text, never as markup', async () => {
    const markup = '<img src="x" onerror="document.title=\'taken\'"><b>bold</b>';
    const { report } = bought;
    const deal = { ...report.deal, address: markup, why_this_is_interesting: markup, city: markup };
    await draw({ ...report, deal, state_notices: [markup] });
    assert.equal(await watched.page.locator('#drawn img').count(), 0);
    assert.equal(await watched.page.locator('#deal').innerText(), markup);
    watched.assertClean();
  });

  it('explains why a file is no report', async () => {
    const { page } = watched;
    for (const [text, told] of [
      ['deal,price', /not JSON/],
      ['[]', /not a report/],
      ['{"deal":{}}', /it has no underwriting, scoring/],
      [await (await fetch(`${app.url}/api/deals`)).text(), /failed \(payment_required\)/],
      [JSON.stringify({ ...bought.report, underwriting: {} }), /cannot be drawn/],
    ] as const) {
      await choose(page, text);
      await page.getByRole('alert').filter({ hasText: told }).waitFor();
      assert.equal(await page.locator('#drawn').innerText(), '');
    }
  });

  it('accepts a dropped file or a pasted text, and sends it nowhere', async () => {
    const { page } = watched;
    const before = watched.requests.length;
    for (const kind of ['drop', 'paste'] as const) {
      await page.evaluate(
        ({ text, event }) => {
          const data = new DataTransfer();
          if (event === 'drop') data.items.add(new File([text], 'report.json'));
          else data.setData('text/plain', text);
          const options = { bubbles: true, cancelable: true };
          document.body.dispatchEvent(
            event === 'drop'
              ? new DragEvent('drop', { ...options, dataTransfer: data })
              : new ClipboardEvent('paste', { ...options, clipboardData: data }),
          );
        },
        { text: bought.text, event: kind },
      );
      await page.locator('#evidence').waitFor();
      await page.locator('#drawn').evaluate((drawn) => drawn.replaceChildren());
    }
    // The rules of underwriting are fetched, and nothing is told by that.
    const sent = watched.requests.slice(before).filter((url) => !/\/assets\/[\w-]+\.js$/.test(url));
    assert.deepEqual(sent, []);
  });

  it('fetches a paid report with the wallet that paid', async () => {
    const { page } = watched;
    const account = privateKeyToAccount(buyer.privateKey);
    await page.exposeFunction('signText', (message: Hex) => account.signMessage({ message: { raw: message } }));
    await page.evaluate((address) => {
      // A mock browser wallet: EIP-1193, with its account in lower case as wallets return it.
      const { signText } = window as unknown as { signText(message: string): Promise<string> };
      Object.assign(window, {
        ethereum: {
          request({ method, params = [] }: { method: string; params?: string[] }) {
            return method === 'eth_requestAccounts' ? Promise.resolve([address]) : signText(params[0] ?? '');
          },
        },
      });
    }, account.address.toLowerCase());
    await page.getByLabel('Or the id of its payment').fill(paymentIdOf(bought.payment));
    await page.getByRole('button', { name: 'Fetch with the wallet that paid' }).click();
    await page.locator('#evidence').waitFor();
    assert.equal(await page.locator('#deal').innerText(), bought.report.deal.address);
  });

  it('reports a missing wallet and an unknown payment', async () => {
    const { page } = watched;
    await page.getByRole('button', { name: 'Fetch with the wallet that paid' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /64 hexadecimal digits/ })
      .waitFor();
    await page.getByLabel('Or the id of its payment').fill(paymentIdOf(bought.payment));
    await page.getByRole('button', { name: 'Fetch with the wallet that paid' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /This browser has no wallet/ })
      .waitFor();
  });

  it('opens and displays reports offline after a first visit', async () => {
    const { page } = watched;
    await page.waitForFunction(async () => {
      const leadHolds = await caches.open('report-viewer');
      return (await leadHolds.keys()).some(({ url }) => /\/assets\/report-[0-9a-f]{10}\.js$/.test(url));
    });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.context().setOffline(true);
    await page.reload();
    await choose(page, bought.text);
    await page.locator('#evidence').waitFor();
    assert.equal(await page.locator('#deal').innerText(), bought.report.deal.address);
  });

  it('prints the whole report and nothing else', async () => {
    const { page } = watched;
    await choose(page, bought.text);
    await page.locator('#evidence').waitFor();
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.heat').count(), 4);
    for (const map of await page.locator('.heat').all()) assert.ok(await map.isVisible());
    for (const part of ['header', 'footer', '#drop', '#intro', '#print'])
      assert.ok(!(await page.locator(part).first().isVisible()), part);
    const paper = await page.pdf({ format: 'Letter' });
    const sheets = paper.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
    assert.ok(sheets > 0 && sheets <= 6, String(sheets));
    assert.equal(await page.locator('details:not([open])').count(), 0);
  });

  /** The public id of a payment, computed like its signer. */
  function paymentIdOf(header: string): string {
    const { accepted, payload } = JSON.parse(Buffer.from(header, 'base64').toString()) as {
      accepted: { network: string; asset: string };
      payload: { authorization: { from: string; nonce: string } };
    };
    const { from, nonce } = payload.authorization;
    const name = [accepted.network, accepted.asset, from, nonce].join('/').toLowerCase();
    return `0x${createHash('sha256').update(name).digest('hex')}`;
  }
});
