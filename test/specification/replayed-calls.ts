import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import type { App } from '../../src/app.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observe } from '../listings/observation.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { isNode } from '../contract/schema-nodes.js';
import { startTestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { readPrice, signPayment } from '../support/pay.js';
import { readSource } from '../support/read-source.js';

/** An answer without what differs from call to call: random values, the port, the bytes of records told before. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** By request; `paid` stands before one that was sent with a payment. */
export type Answers = Readonly<Record<string, Answer>>;

type Row = Readonly<Record<string, unknown>>;

const today = new Date('2026-12-01T12:00:00.000Z');
const unknownId = '3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11';

/** The calls of the specification: each product, each of its parameters, each error. */
const queries: Readonly<Record<string, readonly string[]>> = {
  '/api/deals': [
    '',
    'state=OH',
    'state=oh',
    'city=Toledo',
    'city=toledo',
    'min_price=200000',
    'max_price=200000',
    'min_price=200000&max_price=400000',
    'min_cap=8.5',
    'min_units=4',
    'max_units=4',
    'min_score=40',
    'status=Pass',
    'state=OH&min_units=3&min_cap=7',
    'limit=2',
    'min_price=99999999',
    'city=Nowhere',
    'min_cap=high',
    'min_units=2.5',
    'min_score=101',
    'status=hot',
    'state=Ohio',
    'state=OH&state=TX',
    'unknown=1',
  ],
  '/api/deals/hot': ['', 'limit=1'],
  '/api/deals/basic': ['', 'state=OH', 'max_price=200000', 'limit=2'],
  [`/api/deals/${unknownId}/report`]: [''],
  '/api/deals/not-an-id/report': [''],
  '/api/deals/%7Bid%7D/report': [''],
  '/api/signals': [
    '',
    'county=Cuyahoga',
    'county=cuya',
    'signal_type=tax_delinquent',
    'min_amount=5000',
    'has_address=true',
    'has_address=false',
    'min_amount=99999999',
    'signal_type=unheard_of',
    'has_address=perhaps',
    'limit=2',
  ],
  '/api/auctions': [
    '',
    'county=Cuyahoga',
    'from_date=2026-12-12',
    'to_date=2026-12-12',
    'from_date=2026-11-01',
    'min_appraised=80000',
    'include_past=true',
    'include_past=true&to_date=2026-11-30',
    'min_appraised=99999999',
    'from_date=12/01/2026',
    'limit=2',
  ],
  '/api/leads': ['', 'state=OH', 'lead_type=sheriff_sale_auction', 'min_score=1', 'limit=2', 'lead_type=unheard_of'],
  '/api/leads/exclusive': ['', 'lead_type=sheriff_sale_auction'],
  '/api/lookup': [
    'address=1%20Example%20Ave%2C%20Cleveland%2C%20OH%2044105',
    'address=98765%20Nowhere%20Ave%2C%20Cleveland%2C%20OH%2044105',
    '',
  ],
};
const free = ['/api/meta', '/api/deals/ids', '/api/nothing', '/api/deals/ids?unknown=1'];

/** Starts the service with a few records at a fixed time, and asks all. */
export async function answerCalls(): Promise<Answers> {
  const settler = createInstantSettler();
  let now = new Date(today.getTime() - 86_400_000);
  const app = await startTestApp({ settler, withData: false, now: () => now });
  await readAll(app, 1.1);
  now = today;
  await readAll(app, 1);
  const answers: Record<string, Answer> = {};
  const seen = new Set<string>();
  const note = async (what: string, reply: Response): Promise<void> => {
    answers[what] = {
      status: reply.status,
      headers: headersOf(reply),
      body: bodyOf(await reply.text(), app.url, seen),
    };
  };
  for (const path of free) await note(path, await fetch(app.url + path));
  const etag = (await fetch(`${app.url}/api/meta`)).headers.get('etag') ?? assert.fail();
  await note('known /api/meta', await fetch(`${app.url}/api/meta`, { headers: { 'If-None-Match': etag } }));
  await note('POST /api/meta', await fetch(`${app.url}/api/meta`, { method: 'POST' }));
  const [{ id = '' } = {}] = ((await (await fetch(`${app.url}/api/deals/ids`)).json()) as { ids: { id: string }[] })
    .ids;
  for (const [path, each] of Object.entries({ ...queries, [`/api/deals/${id}/report`]: [''] }))
    for (const query of each) {
      const asked = query === '' ? path : `${path}?${query}`;
      const unpaid = await fetch(app.url + asked);
      await note(asked, unpaid.clone());
      if (unpaid.status !== 402) continue;
      const reply = await pay(app.url + asked, unpaid);
      await note(`paid ${asked}`, reply.clone());
      const [, next] = /<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '') ?? [];
      if (next !== undefined) await note(`next of ${asked}`, await fetch(new URL(next, app.url)));
    }
  await app.stop();
  return answers;
}

async function pay(url: string, unpaid: Response): Promise<Response> {
  const window = { validAfter: 0n, validBefore: BigInt(today.getTime() / 1000) + 240n };
  const signature = await signPayment(readPrice(unpaid), window);
  return fetch(url, { headers: { 'PAYMENT-SIGNATURE': signature } });
}

/** Every fact is stated, so that what is compared rests on no rule of the service's where it can. */
async function readAll(app: App, factor: number): Promise<void> {
  const { now } = app;
  const rows = [
    ['Toledo', 'OH', '43609', 150_000, 2, '9.2'],
    ['Toledo', 'OH', '43611', 290_000, 4, '8.5'],
    ['Cleveland', 'OH', '44105', 410_000, 6, '7.1'],
    ['Dallas', 'TX', '75216', 530_000, 8, '6.4'],
    ['Dallas', 'TX', '75217', 900_000, 12, '5.5'],
    ['Toledo', 'OH', '43612', 800_000, 10, undefined],
  ] as const;
  const listings = createScriptedDelivery('listings', { name: 'listings', now });
  listings.deliver({
    pages: [
      rows.map(([city, state, zip, price, units, cap], index) =>
        observe({
          sourceKey: `k${index}`,
          address: known(`${index + 1} Main St`),
          city,
          state,
          zip: known(zip),
          listingUrl: known(`https://listings.example.com/${index}`),
          listPrice: known(String(index === 0 ? Math.round(price * factor) : price)),
          units: known(units),
          capRate: cap === undefined ? absent('not_stated_by_source') : known(cap),
          noi: cap === undefined ? known('36000') : absent('not_stated_by_source'),
          propertyType: absent('not_stated_by_source'),
        }),
      ),
    ],
  });
  await readSource(app, listings);
  const signals = [19_000, 9_000, 4_000, 700].map((amount, index) =>
    observeSignal({
      sourceKey: `s${index}`,
      parcelId: `200-30-00${index}`,
      amount: `${amount}.50`,
      address: index === 2 ? absent('not_stated_by_source') : known(`${index + 1} Example Ave`),
    }),
  );
  const auctions = ['2026-11-20', '2026-12-10', '2026-12-12', '2026-12-20'].map((saleDate, index) =>
    observeAuction({
      sourceKey: `a${index}`,
      caseNumber: known(`CV-26-10${index}`),
      parcelId: known(`300-40-00${index}`),
      address: known(`${index + 1} Sample St`),
      appraisedValue: known(String(60_000 + index * 15_000)),
      openingBid: known(String(40_000 + index * 10_000)),
      saleDate,
    }),
  );
  await readCountyRecords(app, { signals, auctions });
  await app.pipeline.publish('all');
}

const kept = /^(content-type|cache-control|link|x-total-count|vary|allow|retry-after|www-authenticate)$/;
const named = /^(etag|payment-required|payment-response|repr-digest)$/;

function headersOf({ headers }: Response): Record<string, string> {
  const shown = [...headers].filter(([name]) => kept.test(name) || named.test(name));
  return Object.fromEntries(shown.map(([name, text]) => [name, named.test(name) ? 'any' : withoutToken(text)]));
}

const withoutToken = (text: string): string => text.replace(/pages\/[\w.-]+/, 'pages/TOKEN');

/** Read as JSON; what is random is named. A record told before, with the same bytes, is told by its id. */
function bodyOf(text: string, url: string, seen: Set<string>): unknown {
  if (text === '') return undefined;
  const body = JSON.parse(text) as unknown;
  assert.equal(JSON.stringify(body), text, 'no spaces, no number that JSON writes otherwise');
  return JSON.parse(text.replaceAll(url, 'URL'), (name, value: unknown) => {
    if (name === 'instance' || name === 'request_id') return 'any';
    if (name === 'next') return typeof value === 'string' ? withoutToken(value) : 'any';
    if (typeof value !== 'object' || value === null) return value;
    if (name === 'extensions' || name === 'record_schema_notes') return Object.keys(value).sort();
    if (Array.isArray(value)) return value.map((each) => toldOnce(each, seen));
    return 'underwriting' in value && 'scoring' in value ? namesOf(value, []) : value;
  });
}

/** What follows from what was stated, without rules on income, scores and confidence. */
const stated = (
  'id address city state zip source listing_url list_price units cap_rate noi noi_source dscr_status last_verified ' +
  'price_reduction_pct days_on_feed motivation_score report_url'
).split(' ');

function toldOnce(value: unknown, seen: Set<string>): unknown {
  if (!isNode(value) || !['source_url', 'address', 'payTo'].some((each) => each in value)) return value;
  const text = JSON.stringify(value);
  if (seen.has(text)) return `told: ${String(value['id'] ?? value['parcel_id'] ?? value['amount'])}`;
  seen.add(text);
  return 'deal_score' in value ? namesOf(value, stated) : value;
}

/** Of members that are not compared, the name. */
function namesOf(value: object, compared: readonly string[]): Row {
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, compared.includes(name) ? (each as unknown) : 'any']),
  );
}
