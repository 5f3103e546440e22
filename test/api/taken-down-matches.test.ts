import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DealList, Report } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { plainManifest } from '../sources/formats/drop-feed.js';
import { nextLink } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { cutOffLeads } from '../support/cut-off-leads.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';
import { askPrice, buy, type ChallengeBody, signPayment } from '../support/pay.js';
import { ask } from '../support/raw-http.js';

const lists = ['deals', 'deals/basic', 'signals', 'auctions', 'leads'];
const down = /county\.example\.com\/down/;
const lookup = `/api/lookup?address=${encodeURIComponent('310 Sample Ave, Cleveland, OH 44105')}`;

/**
 * Two deals, each matched with a debt and a sale. The address of the second's records may also be of another street.
 */
describe('a deal that was published with a county record that is taken down', () => {
  let app: TestApp;
  let settler: InstantSettler;
  /** The first page of each list, bought before. */
  let bought: readonly (readonly [string, Response])[];
  let sold: DealList[number];
  const offers = new Map<string, ChallengeBody>();
  const report = () => `/api/deals/${sold.id}/report`;

  async function start(): Promise<void> {
    settler = createInstantSettler();
    app = await startTestApp({ withData: false, settler });
    drop(app.config.dropDirectory);
    await app.pipeline.ingest();
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    const streets = ['100 Example Ave', '310 Sample'];
    const urlOf = (each: number) => `https://county.example.com/${each === 0 ? 'shown' : 'down'}`;
    await readCountyRecords(app, {
      signals: streets.map((street, each) =>
        observeSignal({
          sourceKey: `s${each}`,
          address: known(street),
          parcelId: `1-${each}1`,
          sourceUrl: urlOf(each),
        }),
      ),
      auctions: streets.map((street, each) =>
        observeAuction({
          sourceKey: `a${each}`,
          address: known(street),
          parcelId: known(`1-${each}1`),
          caseNumber: known(`CV-${each}`),
          sourceUrl: urlOf(each),
          saleDate,
        }),
      ),
    });
    await app.pipeline.publish('all');
    bought = await Promise.all(lists.map(async (list) => [list, await buy(`${app.url}/api/${list}?limit=1`)] as const));
    sold = (await deals()).find(({ address }) => address === '310 Sample Ave') ?? assert.fail();
    for (const path of [lookup, report()]) offers.set(path, await askPrice(app.url + path));
  }

  const deals = async () => (await (await buy(`${app.url}/api/deals`)).json()) as DealList;

  async function pay(path: string) {
    const headers = { 'PAYMENT-SIGNATURE': await signPayment(offers.get(path) ?? assert.fail()) };
    return ask(app.url, path, { headers });
  }

  /** All published data of the properties: each list, the remaining pages bought before, the samples. */
  async function read(): Promise<string> {
    let text = await (await fetch(`${app.url}/api/meta`)).text();
    for (const [list, first] of bought) {
      text += await (await buy(`${app.url}/api/${list}`)).text();
      text += await (await fetch(app.url + (nextLink(first) ?? assert.fail(list)))).text();
    }
    return text;
  }

  /** Says the same whatever took the record down. */
  function itIsTakenDown(takeDown: () => Promise<unknown>): void {
    before(start);
    after(() => app.stop());

    it('mentioned it before', async () => {
      assert.deepEqual(codesOf(sold), ['sheriff_sale_match', 'tax_delinquent_match']);
      assert.match(await read(), down);
    });

    it('does not mention it from then on, nor do its lead, its report and its lookup', async () => {
      await takeDown();
      await app.pipeline.refresh();
      assert.ok(!down.test(await read()));
      for (const list of ['deals', 'leads'])
        assert.ok(!(await (await buy(`${app.url}/api/${list}`)).text()).includes(sold.id), list);
      const settled = settler.settled.length;
      assert.deepEqual([(await pay(report())).status, (await pay(lookup)).status], [503, 404]);
      assert.equal(settler.settled.length, settled);
    });

    it('is not a lead again while leads cannot be published without it, even if deals are published', async () => {
      const letThrough = await cutOffLeads(app.database.knex);
      for (const limit of [50, 51, 52]) {
        await assert.rejects(app.pipeline.publishIfBehind(), /cut off/);
        const leads = await (await buy(`${app.url}/api/leads?limit=${limit}`)).text();
        assert.ok(!leads.includes(sold.id) && !down.test(leads));
      }
      await letThrough();
    });

    it('is sold again without it after the next publication', async () => {
      await app.pipeline.publishIfBehind();
      const deal = (await deals()).find(({ id }) => id === sold.id) ?? assert.fail();
      assert.deepEqual(codesOf(deal), []);
      const { signals, auctions, scoring } = (await (await buy(app.url + report())).json()) as Report;
      assert.deepEqual([signals, auctions, scoring.deal_score.tax_amount], [[], [], null]);
      assert.ok(deal.deal_score < sold.deal_score);
      assert.ok(!down.test(await read()));
    });
  }

  describe('because the record may belong to a suppressed property', () => {
    itIsTakenDown(() => app.pipeline.suppress({ address: '310 Sample St, Cleveland, OH 44105', reason: 'its owner' }));

    it('leaves other deals unchanged', async () => {
      const other = (await deals()).find(({ address }) => address === '100 Example Ave') ?? assert.fail();
      assert.deepEqual(codesOf(other), ['sheriff_sale_match', 'tax_delinquent_match']);
    });
  });

  describe('because the licence of its source has ended', () => {
    itIsTakenDown(() =>
      app.database
        .knex('sources')
        .whereIn('name', ['county-signals', 'county-auctions'])
        .update({ removed_at: app.now(), changed_at: app.now() }),
    );
  });
});

function codesOf({ motivation_signals: signals }: DealList[number]): readonly string[] {
  return signals.map(({ code }) => code).sort();
}

/** A broker's delivery of two buildings. */
function drop(dropDirectory: string): void {
  const folder = join(dropDirectory, 'brokers');
  mkdirSync(folder, { recursive: true });
  const manifest = { ...plainManifest, mapping: { ...plainManifest.mapping, capRate: 'cap' } };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const rows = ['100 Example Ave', '310 Sample Ave'].map(
    (street, each) => `B-${each},${street},Cleveland,OH,44105,${200_000 + each},4,${9 - each}`,
  );
  writeFileSync(join(folder, 'deals.csv'), `${['id,street,city,state,zip,price,units,cap', ...rows].join('\n')}\n`);
  writeFileSync(join(folder, 'deals.csv.done'), '');
}
