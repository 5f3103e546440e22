import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DealIds, DealList, Meta, Report } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { plainManifest } from '../sources/formats/drop-feed.js';
import { nextLink } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';
import { askPrice, buy, signPayment } from '../support/pay.js';
import { ask, assertProblem, priceAlone, type RawReply } from '../support/raw-http.js';

const four = [1, 2, 3, 4];
/** Smaller than a page of a bought list can be. */
const licenceMs = 10 * 60_000;
const lists = ['deals', 'deals/hot', 'deals/basic', 'signals', 'auctions', 'leads'];
const fourthLine = /(?:^|\W)204 Example Ave/;
const line = '204 Example Ave, Cleveland, OH 44105';

/** Four properties, each for sale, in debt, in a sheriff's sale and a lead; the fourth is last in every list. */
describe('a takedown', () => {
  let app: TestApp;
  let settler: InstantSettler;
  let aheadMs = 0;
  /** The first page of each list, bought before the takedown. */
  let bought: readonly (readonly [string, Response])[];
  let entries: DealIds['ids'];
  /** Of the whole list of deals, before. */
  let etags: ReadonlySet<string | null>;
  const lookup = `/api/lookup?address=${encodeURIComponent(line)}`;

  before(async () => {
    settler = createInstantSettler();
    const now = (): Date => new Date(Date.now() + aheadMs);
    app = await startTestApp({ withData: false, settler, now });
    dropFour(app.config.dropDirectory, new Date(now().getTime() + licenceMs));
    await app.pipeline.ingest();
    const inDays = (count: number) => new Date(now().getTime() + count * 86_400_000).toISOString().slice(0, 10);
    await readCountyRecords(app, {
      signals: four.map((each) => observeSignal({ ...propertyOf(each), amount: `${90_000 - each}` })),
      auctions: four.map((each) =>
        observeAuction({
          ...propertyOf(each),
          parcelId: known(propertyOf(each).parcelId),
          caseNumber: known(`CV-${each}`),
          openingBid: known(`${each * 20_000}`),
          saleDate: inDays(20 + each),
        }),
      ),
    });
    await app.pipeline.publish('all');
    bought = await Promise.all(lists.map(async (list) => [list, await buy(`${app.url}/api/${list}?limit=1`)] as const));
    entries = await dealIds();
    etags = new Set([(await buy(`${app.url}/api/deals`)).headers.get('etag')]);
  });
  after(() => app.stop());

  const dealIds = async () => ((await (await fetch(`${app.url}/api/deals/ids`)).json()) as DealIds).ids;

  const fourth = () => entries.at(-1) ?? assert.fail();

  /** The content of a bought list after its first page. */
  async function readOn(first: Response): Promise<string> {
    let text = '';
    for (let next = nextLink(first); next !== undefined;) {
      const page = await fetch(app.url + next);
      assert.equal(page.status, 200);
      text += await page.text();
      next = nextLink(page);
    }
    return text;
  }

  it('starts from a property that was sold on a later page of each list', async () => {
    for (const [list, first] of bought) {
      assert.doesNotMatch(await first.clone().text(), fourthLine, list);
      assert.match(await readOn(first), fourthLine, list);
    }
  });

  /** The property, and one that never was: its report, and its lookup. */
  const likePairs = (): readonly (readonly [string, string])[] => [
    [fourth().report_url, `/api/deals/${randomUUID()}/report`],
    [lookup, `/api/lookup?address=${encodeURIComponent('98765 Nowhere Ave, Cleveland, OH 44105')}`],
  ];

  /** The same tests before and after the publication without the property. */
  function itIsSuppressed(): void {
    it('applies to the pages of lists that were bought before', async () => {
      for (const [list, first] of bought) {
        const rest = await readOn(first);
        assert.match(rest, /203 Example Ave/, list);
        assert.doesNotMatch(rest, fourthLine, list);
      }
    });

    it('applies to every list and sample', async () => {
      for (const list of lists)
        assert.doesNotMatch(await (await buy(`${app.url}/api/${list}`)).text(), fourthLine, list);
      assert.doesNotMatch(await (await fetch(`${app.url}/api/meta`)).text(), fourthLine);
      assert.deepEqual(await dealIds(), entries.slice(0, -1));
    });

    it('refuses, unbilled, a filter that matches nothing else', async () => {
      const settled = settler.settled.length;
      const reply = await buy(`${app.url}/api/deals?min_price=450000`);
      assert.deepEqual([reply.status, settler.settled.length], [404, settled]);
    });

    it('refuses, unbilled, a paid request for the property, like one that never was', async () => {
      const settled = settler.settled.length;
      for (const paths of likePairs()) {
        for (const sent of [{}, { 'If-None-Match': '*' }]) {
          const answers = paths.map(async (path) => {
            const headers = { ...sent, 'PAYMENT-SIGNATURE': await signPayment(await askPrice(app.url + path)) };
            const reply = await ask(app.url, path, { headers });
            const body = assertProblem(reply, 404, paths[0] === lookup ? 'no_match' : 'unknown_deal');
            return { body: { ...body, request_id: '', instance: '' }, headers: withoutOwn(reply.headers) };
          });
          const [one, other] = await Promise.all(answers);
          assert.deepEqual(one, other);
        }
      }
      assert.equal(settler.settled.length, settled);
    });

    it('cannot be distinguished from an unknown property without a payment', async () => {
      for (const paths of likePairs()) {
        for (const method of ['GET', 'HEAD']) {
          const replies = await Promise.all(paths.map((path) => ask(app.url, path, { method })));
          assert.deepEqual(
            replies.map(({ status }) => status),
            [402, 402],
            `${method} ${paths[0]}`,
          );
        }
        const [one, other] = await Promise.all(paths.map(async (path) => priceAlone(await ask(app.url, path))));
        assert.deepEqual(one, other);
      }
    });
  }

  describe('of a suppressed property, at once', () => {
    before(() => app.pipeline.suppress({ address: line, reason: 'asked by its owner' }));
    itIsSuppressed();

    it('changes the ETag of each list, since its bytes change', async () => {
      const [first, again] = [await buy(`${app.url}/api/deals`), await buy(`${app.url}/api/deals`)];
      assert.equal(first.headers.get('etag'), again.headers.get('etag'));
      assert.ok(!etags.has(first.headers.get('etag')));
      const headers = { 'If-None-Match': first.headers.get('etag') ?? assert.fail() };
      assert.equal((await fetch(`${app.url}/api/deals`, { headers })).status, 304);
    });
  });

  describe('of a suppressed property, after the feeds are published without it', () => {
    before(() => app.pipeline.publishIfBehind());
    itIsSuppressed();

    it('no longer checks records after the publication', () => {
      for (const feed of Object.values(app.feeds)) assert.equal(feed.hasTakedowns(), false, feed.name);
    });
  });

  describe('of rows under an ended licence', () => {
    it('applies to the pages of lists that were bought before', async () => {
      const [, first] = bought[0] ?? assert.fail();
      assert.match(await readOn(first), /203 Example Ave/);
      aheadMs = licenceMs;
      assert.equal(await readOn(first), '[]');
    });

    it('applies to every list and sample at once', async () => {
      for (const view of ['full', 'basic'] as const) {
        const { total, ids } = await app.feeds.deals.page(view, { filter: {}, limit: 10 });
        assert.deepEqual([total, ids], [0, []]);
      }
      assert.deepEqual(((await (await fetch(`${app.url}/api/meta`)).json()) as Meta).free_samples.deals, []);
    });

    it('stays in effect from the next publication', async () => {
      assert.equal((await app.pipeline.publishIfBehind())?.retired, 3);
      assert.deepEqual(await dealIds(), []);
      for (const feed of Object.values(app.feeds)) assert.equal(feed.hasTakedowns(), false, feed.name);
    });
  });
});

function propertyOf(each: number) {
  return { sourceKey: `k${each}`, address: known(`20${each} Example Ave`), parcelId: `100-20-00${each}` };
}

describe('a field that a licence no longer allows to be shown', () => {
  let app: TestApp;
  let first: Response;
  const reportOf = async () =>
    ((await (await fetch(`${app.url}/api/deals/ids`)).json()) as DealIds).ids[0]?.report_url ?? assert.fail();

  before(async () => {
    app = await startTestApp({ withData: false });
    const inAYear = new Date(Date.now() + 365 * 86_400_000);
    dropFour(app.config.dropDirectory, inAYear);
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    first = await buy(`${app.url}/api/deals?limit=1`);
    assert.match(await first.clone().text(), /"cap_rate":"1[12]/);
    const report = await reportOf();
    dropFour(app.config.dropDirectory, inAYear, ['address', 'zip', 'listPrice', 'units']);
    await app.pipeline.ingest();
    assert.equal((await buy(app.url + report)).status, 404, 'the report that has it');
  });
  after(() => app.stop());

  it('leaves every list and sample at once, together with the records that have it', async () => {
    const { total } = await app.feeds.deals.page('full', { filter: {}, limit: 10 });
    assert.equal(total, 0);
    assert.deepEqual(((await (await fetch(`${app.url}/api/meta`)).json()) as Meta).free_samples.deals, []);
    assert.doesNotMatch(await (await fetch(app.url + (nextLink(first) ?? assert.fail()))).text(), /"cap_rate":"/);
  });

  it('is absent by policy, with every field that would reveal it, after the next publication', async () => {
    await app.pipeline.publishIfBehind();
    assert.equal(app.feeds.deals.hasTakedowns(), false);
    const deals = (await (await buy(`${app.url}/api/deals`)).json()) as DealList;
    assert.equal(deals.length, 4);
    for (const { cap_rate: capRate, list_price: price, absent } of deals) {
      assert.deepEqual([capRate, absent.cap_rate?.reason], [null, 'suppressed_by_policy']);
      assert.notEqual(price, null);
    }
    const report = await buy(app.url + (await reportOf()));
    assert.equal(report.status, 200);
    const { underwriting } = (await report.json()) as Report;
    const { cap_rate: claimed, absent } = underwriting.claimed;
    assert.deepEqual([claimed, absent.cap_rate?.reason], [null, 'suppressed_by_policy']);
  });
});

/** A broker's delivery of four buildings, the best first. */
function dropFour(dropDirectory: string, expiresAt: Date, displayFields?: readonly string[]): void {
  const folder = join(dropDirectory, 'brokers');
  mkdirSync(folder, { recursive: true });
  const mapping = { ...plainManifest.mapping, capRate: 'cap' };
  const manifest = { ...plainManifest, mapping, licence: { ...plainManifest.licence, expiresAt, displayFields } };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const rows = four.map(
    (each) => `B-${each},20${each} Example Ave,Cleveland,OH,44105,${each * 100_000 + 100_000},4,${13 - each}`,
  );
  writeFileSync(join(folder, 'deals.csv'), `${['id,street,city,state,zip,price,units,cap', ...rows].join('\n')}\n`);
  writeFileSync(join(folder, 'deals.csv.done'), '');
}

/** The headers that do not name the one request. */
function withoutOwn(headers: RawReply['headers']): object {
  const { date: _, 'request-id': __, ...rest } = headers;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('ratelimit')));
}
