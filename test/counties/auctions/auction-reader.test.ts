import assert from 'node:assert/strict';
import { absent, known, valueOf } from '../../../src/absence.js';
import type { Auction } from '../../../src/counties/auctions/auction.js';
import type { Database } from '../../../src/db/database.js';
import { openTestDatabase } from '../../support/database.js';
import { openSuppression } from '../../policy/suppression.js';
import { clock, licence, setDay } from '../../sources/ingest/scripted-source.js';
import { openAuctionFixture } from './auction-fixture.js';
import { observeAuction } from './observed-auction.js';

const notStated = absent('not_stated_by_source');
const day = (count: number) => new Date(Date.parse('2026-11-01T00:00:00.000Z') + count * 24 * 3600 * 1000);
const elsewhere = observeAuction({ sourceKey: 'a9', caseNumber: known('CV-9'), address: known('9 Other St') });

describe('createAuctionReader', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
  });
  afterEach(() => database.close());

  const { reader, ingest, readAll, readRoll, readKey, readUpcoming, changes } = openAuctionFixture(() => database);
  const historyOf = ({ statusHistory }: Auction) =>
    statusHistory.map(({ status, date, text }) => `${valueOf(date) ?? '-'} ${status}: ${text}`);

  it('reads back the observation, with its identity and history', async () => {
    const observed = observeAuction();
    await ingest([observed]);
    const { id, ...rest } = await readKey('a1');
    assert.deepEqual(rest, {
      ...observed,
      statusHistory: [{ status: 'scheduled', date: known('2026-10-31'), text: 'Shown as scheduled for 2026-12-10' }],
      sourceName: 'county',
      sourceNames: ['county'],
      firstSeenAt: day(0),
      lastSeenAt: day(0),
      demonstration: false,
    });
    assert.equal(id, 'f5ccbcfe-1a04-5591-bf85-2e55034aed1e', 'the same on every machine');
    assert.deepEqual(
      (await reader().readByIds([id])).map((auction) => auction.id),
      [id],
    );
  });

  it("identifies a sale by parcel and address without a case number, and by the source's key without either", async () => {
    const noCase = observeAuction({ caseNumber: notStated });
    const nothing = observeAuction({ sourceKey: 'n1', caseNumber: notStated, parcelId: notStated, address: notStated });
    await ingest([noCase, nothing]);
    await ingest(
      [
        { ...noCase, sourceKey: 'other', saleDate: '2027-01-07' },
        { ...nothing, sourceKey: 'n1' },
      ],
      { name: 'b' },
    );
    assert.deepEqual((await readAll()).map(({ sourceKey }) => sourceKey).sort(), ['n1', 'n1', 'other']);
  });

  it('follows a sale that is adjourned to another date and then sold, as the same sale', async () => {
    await ingest([observeAuction()]);
    const { id } = await readKey('a1');
    setDay(3);
    await ingest([observeAuction({ saleDate: '2027-01-07' })]);
    setDay(5);
    await ingest([observeAuction({ saleDate: '2027-01-07' })]);
    setDay(70);
    await ingest([observeAuction({ saleDate: '2027-01-07', saleStatus: 'sold' })]);
    const auction = await readKey('a1');
    assert.deepEqual([auction.id, auction.saleDate, auction.saleStatus], [id, '2027-01-07', 'sold']);
    assert.deepEqual(historyOf(auction), [
      '2027-01-09 sold: Shown as sold for 2027-01-07',
      '2026-11-03 adjourned: Moved from 2026-12-10 to 2027-01-07',
      '2026-10-31 scheduled: Shown as scheduled for 2026-12-10',
    ]);
  });

  it("merges the source's history and our own observations, without repetition", async () => {
    const told = { status: 'adjourned', date: known('2026-10-20'), text: 'Defendant Adjourned to' } as const;
    const undated = { status: 'scheduled', date: notStated, text: 'Scheduled' } as const;
    await ingest([observeAuction({ saleStatus: 'adjourned', statusHistory: [told, undated] })]);
    setDay(2);
    const cancelled = { status: 'cancelled', date: known('2026-11-02'), text: 'Cancelled by order' } as const;
    await ingest([observeAuction({ saleStatus: 'cancelled', statusHistory: [cancelled, told, undated] })]);
    assert.deepEqual(historyOf(await readKey('a1')), [
      '2026-11-02 cancelled: Cancelled by order',
      '2026-10-31 adjourned: Shown as adjourned for 2026-12-10',
      '2026-10-20 adjourned: Defendant Adjourned to',
      '- scheduled: Scheduled',
    ]);
  });

  it('marks a vanished future sale as unknown, keeps it, and follows it when it returns', async () => {
    await ingest([observeAuction(), elsewhere]);
    setDay(2);
    const report = await ingest([elsewhere]);
    assert.deepEqual([report.status, report.retired], ['quarantined', 0], 'one of two is more than 40%');
    assert.equal((await readKey('a1')).saleStatus, 'scheduled');
    setDay(3);
    assert.equal((await ingest([elsewhere])).retired, 1);
    const gone = await readKey('a1');
    assert.deepEqual([gone.saleStatus, gone.lastSeenAt], ['unknown', day(0)]);
    assert.deepEqual(historyOf(gone)[0], '2026-11-03 unknown: No longer shown by the source');
    assert.deepEqual(await changes(day(3)), ['a1']);
    setDay(4);
    assert.equal((await ingest([elsewhere])).retired, 0);
    setDay(5);
    await ingest([observeAuction(), elsewhere]);
    const back = await readKey('a1');
    assert.deepEqual([back.saleStatus, back.lastSeenAt], ['scheduled', day(5)]);
    assert.deepEqual(historyOf(back).length, 3);
    assert.deepEqual(historyOf(back)[1], '2026-11-03 unknown: Not shown, or shown without a known status');
    assert.deepEqual(await changes(day(5)), ['a1']);
  });

  it('does not report a sale with an unknown status word as no longer shown', async () => {
    await ingest([observeAuction(), elsewhere]);
    setDay(2);
    await ingest([observeAuction({ saleStatus: 'unknown' }), elsewhere]);
    const shown = await readKey('a1');
    assert.deepEqual([shown.saleStatus, shown.lastSeenAt], ['unknown', day(2)]);
    assert.deepEqual(historyOf(shown)[0], '2026-11-02 unknown: Shown without a known status');
  });

  it("counts a sale as past from the county's own midnight, after which its vanishing means nothing", async () => {
    const rows = [
      observeAuction({ saleDate: '2026-11-05' }),
      observeAuction({ sourceKey: 'today', caseNumber: known('2'), saleDate: '2026-11-06' }),
      observeAuction({ sourceKey: 'sold', caseNumber: known('3'), saleStatus: 'sold' }),
      ...['4', '5', '6', '7', '8'].map((number) => observeAuction({ sourceKey: number, caseNumber: known(number) })),
    ];
    await ingest(rows);
    clock.now = new Date('2026-11-07T04:59:59.000Z'); // still the 6th in Cleveland
    await ingest(rows.slice(3));
    const statuses = await Promise.all(['a1', 'today', 'sold'].map(async (key) => (await readKey(key)).saleStatus));
    assert.deepEqual(statuses, ['scheduled', 'unknown', 'sold']);
  });

  it('marks as unknown what the source itself removes in a run of changes', async () => {
    await ingest([observeAuction(), elsewhere], { watermark: 'w1' });
    setDay(1);
    const report = await ingest([], { removedKeys: ['a1'], watermark: 'w2' });
    assert.deepEqual([report.status, report.retired], ['completed', 1]);
    assert.deepEqual([(await readKey('a1')).saleStatus, (await readKey('a9')).saleStatus], ['unknown', 'scheduled']);
  });

  it('keeps a sale unchanged when its row becomes unreadable', async () => {
    await ingest([observeAuction(), elsewhere]);
    setDay(1);
    await ingest([
      { reject: 'missing_date', key: 'a1', detail: 'saleDate: a date is expected.' },
      elsewhere,
      observeAuction({ sourceKey: 'z', caseNumber: known('z') }),
    ]);
    const kept = await readKey('a1');
    assert.deepEqual([kept.saleStatus, kept.lastSeenAt], ['scheduled', day(0)]);
  });

  it('keeps an upcoming sale until midnight of its county, even if that differs from most of the state', async () => {
    await ingest([observeAuction({ countyFips: '46103', state: 'SD', saleDate: '2026-11-23' })]);
    for (const [moment, upcoming] of [
      ['2026-11-24T06:30:00.000Z', 1],
      ['2026-11-24T07:00:00.000Z', 0],
    ] as const) {
      clock.now = new Date(moment);
      assert.equal((await readUpcoming('46103')).length, upcoming, moment);
    }
  });

  it('counts upcoming sales per county by its own calendar, and keeps past ones', async () => {
    await ingest([
      observeAuction({ saleDate: '2026-11-01' }),
      observeAuction({ sourceKey: 'b', caseNumber: known('b'), saleDate: '2026-11-02', saleStatus: 'adjourned' }),
      observeAuction({ sourceKey: 'c', caseNumber: known('c'), saleDate: '2026-11-20', saleStatus: 'sold' }),
      observeAuction({ sourceKey: 'd', caseNumber: known('d'), saleDate: '2026-10-31' }),
      observeAuction({
        sourceKey: 'e',
        caseNumber: known('e'),
        countyFips: '17031',
        state: 'IL',
        saleStatus: 'withdrawn',
      }),
    ]);
    clock.now = new Date('2026-11-02T04:30:00.000Z'); // the 1st in both counties
    assert.equal((await readAll()).length, 5);
    assert.deepEqual(await readUpcoming('17031'), []);
    assert.deepEqual(await readUpcoming('39035'), ['2026-11-01', '2026-11-02']);
  });

  it('omits only the defendant in Kansas', async () => {
    await ingest([observeAuction({ countyFips: '20209', state: 'KS' })]);
    const auction = await readKey('a1');
    assert.deepEqual(auction.defendant, absent('suppressed_by_policy'));
    assert.deepEqual(auction.plaintiff, known('EXAMPLE BANK NA'));
  });

  it("does not use the place of the sale as the property's address, and looks up the parcel instead", async () => {
    const venue = known('Justice Center, 1200 Ontario St');
    const room = known('1200 Ontario St');
    await ingest([
      observeAuction({ address: venue }),
      observeAuction({ sourceKey: 'b', caseNumber: known('b'), address: venue, parcelId: notStated }),
      observeAuction({
        sourceKey: 'c',
        caseNumber: known('c'),
        address: absent('not_published_by_source'),
        parcelId: notStated,
      }),
      observeAuction({
        sourceKey: 'd',
        caseNumber: known('d'),
        address: room,
        zip: known('44113'),
        parcelId: notStated,
      }),
    ]);
    assert.deepEqual((await readKey('d')).address, absent('no_situs_address'));
    assert.deepEqual((await readKey('a1')).address, absent('pending_parcel_lookup'));
    assert.deepEqual((await readKey('b')).address, notStated);
    assert.deepEqual((await readKey('c')).address, absent('not_published_by_source'));
    await readRoll();
    assert.deepEqual((await readKey('a1')).address, known('200 Roll St'));
  });

  it('omits a suppressed address that a roll has without its city', async () => {
    await ingest([observeAuction({ address: known('PO BOX 12') })]);
    await readRoll({ city: notStated, zip: notStated });
    assert.deepEqual((await readKey('a1')).address, known('200 Roll St'));
    await openSuppression(database.knex).suppressAddress('200 Roll St, Cleveland, OH 44105', 'owner');
    assert.deepEqual(await readAll(), []);
  });

  it('omits suppressed sales and those without a licence in force', async () => {
    await ingest([observeAuction(), elsewhere]);
    const { id: suppressed } = await readKey('a1');
    await ingest(
      [observeAuction({ sourceKey: 'l', caseNumber: known('l'), parcelId: known('7'), address: known('7 Other St') })],
      { name: 'b', licence: { ...licence, expiresAt: day(2) } },
    );
    setDay(1);
    await openSuppression(database.knex).suppressAddress('100 Example Ave, Cleveland, OH 44105', 'owner');
    assert.deepEqual((await readAll()).map(({ sourceKey }) => sourceKey).sort(), ['a9', 'l']);
    assert.deepEqual(await changes(day(1)), []);
    assert.deepEqual(await changes(day(1), [suppressed]), ['gone']);
    setDay(2);
    assert.deepEqual(
      (await readAll()).map(({ sourceKey }) => sourceKey),
      ['a9'],
    );
  });

  it('rejects a sale with an unknown county', async () => {
    const report = await ingest([observeAuction({ countyFips: '00000' }), elsewhere]);
    assert.deepEqual([report.accepted, report.rejected], [1, 1]);
  });
});
