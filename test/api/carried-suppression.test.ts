import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DealIds } from '../../generated/types.gen.js';
import { absent, known } from '../../src/absence.js';
import type { SuppressionWish } from '../../src/policy/suppression-list.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeParcel } from '../counties/parcels/observed-parcel.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { plainManifest } from '../sources/formats/drop-feed.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { licence } from '../sources/ingest/scripted-source.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords, readMatchingSignals } from '../support/county-records.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';
import { assertProblem, buyRaw } from '../support/raw-http.js';
import { readSource } from '../support/read-source.js';

const unnamed = absent('no_situs_address');
const lists = ['deals', 'signals', 'auctions', 'leads'];
const reason = 'asked by its owner';
const byParcel = (parcelId: string): SuppressionWish => ({ countyFips: '39035', parcelId, reason });

/** Parcels that end with 1 are in the listing; the others are only in county records and the roll. */
const listings = [
  { street: '500 Juliet Ave', parcelId: '' },
  { street: '502 Kilo Ave', parcelId: '' },
  { street: '504 Lima Ave', parcelId: '' },
  { street: '', parcelId: '44-001' },
  { street: '508 November Ave', parcelId: '' },
  { street: '510 Oscar Ave', parcelId: '66-001' },
  { street: '512 Papa Ave', parcelId: '' },
];
const priceOf = (each: number): string => `${700_000 + each}.00`;

/** The records of each property: its street, the parcel in a county record, the price of a listing without a street. */
const marks = {
  'known to a sale by parcel and address': ['500 Juliet Ave', '11-000'],
  'known to a debt by its parcel alone': ['502 Kilo Ave', '22-000'],
  'known to the roll by parcel and address': ['504 Lima Ave'],
  'for sale without an address': [priceOf(3)],
  'known by its parcel later': ['508 November Ave', '55-000'],
  'known to its listing by parcel and address': ['510 Oscar Ave', '66-001'],
};
const neighbor = '512 Papa Ave';

describe('a suppressed parcel, and a suppressed address', () => {
  let app: TestApp;

  before(async () => {
    app = await startTestApp({ withData: false, settler: createInstantSettler() });
    drop(app.config.dropDirectory);
    await app.pipeline.ingest();
    const roll = createScriptedDelivery('parcels', { name: 'roll', licence, now: app.now });
    const lima = { sourceKey: 'r1', parcelId: '33-000', address: known('504 Lima Ave'), zip: known('44105') };
    const mike = { sourceKey: 'r2', parcelId: '44-001', address: known('506 Mike Ave'), zip: known('44105') };
    roll.deliver({ pages: [[observeParcel(lima), observeParcel(mike)]] });
    await readSource(app, roll);
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    const sale = (each: number, street: string, parcelId: string) =>
      observeAuction({
        sourceKey: `a${each}`,
        caseNumber: known(`CV-${each}`),
        address: known(street),
        parcelId: known(parcelId),
        saleDate,
      });
    const debt = (each: number, parcelId: string) =>
      observeSignal({ sourceKey: `s${each}`, parcelId, address: unnamed });
    await readCountyRecords(app, {
      signals: [debt(1, '11-000'), debt(2, '22-000'), debt(3, '66-001'), debt(4, '77-000')],
      auctions: [sale(1, '500 Juliet Ave', '11-000'), sale(2, '502 Kilo Ave', '22-000')],
    });
    await app.pipeline.publish('all');
  });
  after(() => app.stop());

  async function readAll(): Promise<string> {
    const texts = lists.map(async (list) => (await buy(`${app.url}/api/${list}`)).text());
    return [...(await Promise.all(texts)), await (await fetch(`${app.url}/api/meta`)).text()].join('\n');
  }

  async function assertUntold(): Promise<void> {
    const text = await readAll();
    for (const [which, told] of Object.entries(marks))
      for (const mark of told) assert.ok(!text.includes(JSON.stringify(mark)), `${which}: ${mark}`);
    assert.ok(text.includes(neighbor) && text.includes('77-000'), 'what nobody asked to suppress');
  }

  const lookUp = (street: string) =>
    buyRaw(`${app.url}/api/lookup?address=${encodeURIComponent(`${street}, Cleveland, OH 44105`)}`);

  it('are sold before the suppression', async () => {
    const text = await readAll();
    for (const mark of Object.values(marks).flat()) assert.equal(text.includes(mark), mark !== '55-000', mark);
  });

  it('suppress a record that is read later, from the next publication', async () => {
    await app.pipeline.suppress(byParcel('55-000'));
    assert.match(await readAll(), /508 November Ave/, 'nothing names its parcel yet');
    await readMatchingSignals(app, [observeSignal({ parcelId: '55-000', address: known('508 November Ave') })]);
    await app.pipeline.publish('changed');
    const text = await readAll();
    for (const mark of marks['known by its parcel later']) assert.ok(!text.includes(mark), mark);
    assertProblem(await lookUp('508 November Ave'), 404, 'no_match');
  });

  it('take down every record of the property at once, under any of its names', async () => {
    await app.pipeline.suppress(byParcel('11000'));
    await app.pipeline.suppress({ address: '502 Kilo Ave, Cleveland, OH 44105', reason });
    await app.pipeline.suppress(byParcel('33000'));
    await app.pipeline.suppress({ address: '506 Mike Ave, Cleveland, OH 44105', reason });
    await app.pipeline.suppress({ address: '510 Oscar Ave, Cleveland, OH 44105', reason });
    await assertUntold();
    for (const { street } of listings.filter((each) => each.street !== '' && each.street !== neighbor))
      assertProblem(await lookUp(street), 404, 'no_match');
  });

  it('stay taken down after the feeds are published without them and the records are read again', async () => {
    await app.pipeline.publishIfBehind();
    await assertUntold();
    const { ids } = (await (await fetch(`${app.url}/api/deals/ids`)).json()) as DealIds;
    assert.equal(ids.length, 1);
    await app.pipeline.ingest(undefined, { source: 'brokers' });
    await app.pipeline.publish('all');
    await assertUntold();
  });
});

/** A broker's delivery of all properties for sale. */
function drop(dropDirectory: string): void {
  const folder = join(dropDirectory, 'brokers');
  mkdirSync(folder, { recursive: true });
  const manifest = { ...plainManifest, mapping: { ...plainManifest.mapping, parcelId: 'parcel' } };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const rows = listings.map(
    ({ street, parcelId }, each) => `B-${each},${street},Cleveland,OH,44105,${priceOf(each)},4,${parcelId}`,
  );
  writeFileSync(join(folder, 'deals.csv'), `${['id,street,city,state,zip,price,units,parcel', ...rows].join('\n')}\n`);
  writeFileSync(join(folder, 'deals.csv.done'), '');
}
