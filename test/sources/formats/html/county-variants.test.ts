import assert from 'node:assert/strict';
import { absent, known } from '../../../../src/absence.js';
import { createHtmlTableSource } from '../../../../src/sources/formats/html-table.js';
import { accessTo } from '../../access.js';
import { readSource } from '../../read-source.js';
import { createTestClock, type MockServer } from '../../upstream/mock-server.js';
import { startCivilView, statusLine } from './mock-civilview.js';
import { startRealAuction, statsOf } from './mock-realauction.js';

const notPublished = absent('not_published_by_source');
const notStated = absent('not_stated_by_source');

/** Each county has its own labels, order and wording within the wire format of its site. */
describe('createHtmlTableSource, the variants of counties', () => {
  let mockServer: MockServer | undefined;
  afterEach(() => mockServer?.close());

  it('reads a Florida county of RealAuction: judgments and assessed values, a state behind the city, no opening bids', async () => {
    const day = '12/14/2026';
    const linesOf = (kase: string, address: string) => [
      ['Auction Type:', 'FORECLOSURE'] as const,
      ['Case #:', `<a href="#">${kase}</a>`] as const,
      ['Final Judgment Amount:', '$250,310.44'] as const,
      ['Parcel ID:', '<a href="#">30-2104-007-0350</a>'] as const,
      ['Property Address:', address] as const,
      ['', 'MIAMI, FL- 33142'] as const,
      ['Assessed Value:', '$198,400.00'] as const,
      ['Plaintiff Max Bid:', 'Not public'] as const,
    ];
    const site = await startRealAuction(
      {
        [day]: [
          {
            aid: 1,
            stats: statsOf('Auction Starts', `${day} 09:00 AM ET`),
            lines: linesOf('2024-012345-CA-01', '100 NW EXAMPLE AVE'),
          },
          {
            aid: 2,
            area: 'C',
            stats: statsOf('Auction Sold', `${day} 09:12 AM ET`),
            lines: linesOf('2024-012346-CA-01', '102 NW EXAMPLE AVE'),
          },
          {
            aid: 3,
            area: 'C',
            stats: statsOf('Auction Status', 'Canceled per Bankruptcy'),
            lines: linesOf('2024-012347-CA-01', '104 NW EXAMPLE AVE'),
          },
        ],
      },
      false,
      '2026-12',
    );
    mockServer = site;
    site.state.markup = 'td';
    const { taken, refused } = await readSource(() =>
      createHtmlTableSource({
        ...accessTo(site.url, {}, createTestClock()),
        countyFips: '12086',
        state: 'FL',
        site: 'realauction',
        months: 2,
      }),
    );
    assert.deepEqual(refused, []);
    const [first] = taken;
    assert.deepEqual(
      {
        ...{ address: first?.address, city: first?.city, zip: first?.zip, parcelId: first?.parcelId },
        ...{ judgment: first?.judgmentAmount, bid: first?.openingBid, appraised: first?.appraisedValue },
        ...{ deposit: first?.depositRequirement, kase: first?.caseNumber, caseStatus: first?.caseStatus },
        day: first?.saleDate,
      },
      {
        ...{ address: known('100 NW EXAMPLE AVE'), city: known('MIAMI'), zip: known('33142') },
        ...{ parcelId: known('30-2104-007-0350'), judgment: known('250310.44'), bid: notPublished },
        ...{ appraised: notPublished, deposit: notPublished, kase: known('2024-012345-CA-01') },
        ...{ caseStatus: notPublished, day: '2026-12-14' },
      },
    );
    assert.deepEqual(
      taken.map(({ saleStatus }) => saleStatus),
      ['scheduled', 'sold', 'cancelled'],
    );
  });

  it('reads another Ohio county of RealAuction: blocks without a table, parcels with blanks, sales without minimum', async () => {
    const day = '12/18/2026';
    const linesOf = (kase: string, bid: string) => [
      ['Auction Type:', 'SECOND SALE'] as const,
      ['Case Status:', 'ACTIVE'] as const,
      ['Case #:', `<a href="#">${kase} (0)</a>`] as const,
      ['Parcel ID:', '<a href="#">R72 12345 0001</a>'] as const,
      ['Property Address:', '1 EXAMPLE CT APT 2'] as const,
      ['', 'DAYTON , 45417'] as const,
      ['Appraised Value:', '$45,000.00'] as const,
      ['Opening Bid:', bid] as const,
      ['Deposit Requirement:', '$2,000.00'] as const,
    ];
    const site = await startRealAuction(
      {
        [day]: [
          { aid: 11, lines: linesOf('2025 CV 01234', '$30,000.00') },
          { aid: 12, lines: linesOf('2025 CV 01235', '$0.00') },
          { aid: 13, lines: linesOf('2025 CV 01236', '$31,000.00') },
        ],
      },
      false,
      '2026-12',
    );
    mockServer = site;
    site.state.markup = 'div';
    const { taken, refused } = await readSource(() =>
      createHtmlTableSource({
        ...accessTo(site.url, {}, createTestClock()),
        countyFips: '39113',
        state: 'OH',
        site: 'realauction',
        months: 2,
      }),
    );
    assert.deepEqual(refused, []);
    assert.deepEqual(
      taken.map(({ caseNumber, openingBid }) => [caseNumber, openingBid]),
      [
        [known('2025 CV 01234'), known('30000')],
        [known('2025 CV 01235'), notStated],
        [known('2025 CV 01236'), known('31000')],
      ],
    );
    const { address, city, zip, parcelId, depositRequirement, saleDate } = taken[0] ?? assert.fail();
    assert.deepEqual(
      [address, city, zip, parcelId, depositRequirement, saleDate],
      [
        known('1 EXAMPLE CT APT 2'),
        known('DAYTON'),
        known('45417'),
        known('R72 12345 0001'),
        known('2000'),
        '2026-12-18',
      ],
    );
  });

  it('reads a New Jersey county of CivilView: an upset price, the address on one line, adjournments by party', async () => {
    const site = await startCivilView([
      {
        id: 24001234,
        date: '12/08/2026',
        address: '12 EXAMPLE STREET, NEWARK NJ 07102',
        lines: [
          ['Court Case #:', 'F00123424'],
          ['Plaintiff:', 'EXAMPLE SAVINGS FUND SOCIETY, FSB'],
          ['Defendant:', 'EXAMPLE HOLDINGS LLC; ET AL'],
          ['Address:', '12 EXAMPLE STREET, NEWARK NJ 07102'],
          ['Description:', 'Dimensions: 25.00 feet wide by 100.00 feet long'],
          ['Approx. Upset*:', '$312,045.11'],
          ['Attorney:', 'EXAMPLE LAW PC'],
          ['Attorney Phone:', '(000)000-0000'],
        ],
        history: `${statusLine('Scheduled', '10/13/2026')}${statusLine('Adjourned - Plaintiff', '11/10/2026')}`,
      },
    ]);
    mockServer = site;
    const { taken, refused } = await readSource(() =>
      createHtmlTableSource({
        ...accessTo(site.url),
        countyFips: '34013',
        state: 'NJ',
        site: 'civilview',
        countyId: '2',
      }),
    );
    assert.deepEqual(refused, []);
    const sale = taken[0] ?? assert.fail();
    assert.deepEqual(
      [sale.address, sale.city, sale.zip, sale.openingBid, sale.judgmentAmount, sale.caseNumber],
      [
        known('12 EXAMPLE STREET'),
        known('NEWARK'),
        known('07102'),
        known('312045.11'),
        notPublished,
        known('F00123424'),
      ],
    );
    assert.deepEqual([sale.saleDate, sale.saleStatus], ['2026-12-08', 'adjourned']);
    assert.deepEqual(
      sale.statusHistory.map(({ status }) => status),
      ['adjourned', 'scheduled'],
    );
    assert.doesNotMatch(JSON.stringify(sale), /000\)000/, 'no telephone is taken');
  });

  it('reads a Pennsylvania county of CivilView: a column of statuses, docket and parcel numbers, the latest status first', async () => {
    const site = await startCivilView([
      {
        id: 26123,
        sheriff: '26-1-123',
        date: '12/17/2026',
        lines: [
          ['Docket Number:', '2025-01234-MF'],
          ['Parcel #:', '11-4-26'],
          ['Plaintiff:', 'Example Bank, N.A.'],
          ['Defendant:', 'Example Holdings LLC'],
          ['Address:', '7 Example Road<br />West Chester PA 19380'],
          ['Approx. Judgment*:', '$145,099.02 plus costs'],
          ['Attorney:', ''],
        ],
        history: `${statusLine('Postponed', '12/17/2026')}${statusLine('Scheduled', '11/19/2026')}`,
      },
    ]);
    mockServer = site;
    site.state.form = 'table';
    site.state.headers = ['Sheriff #', 'Status', 'Sales Date', 'Plaintiff', 'Defendant', 'Township', 'Address'];
    const { taken, refused } = await readSource(() =>
      createHtmlTableSource({
        ...accessTo(site.url),
        countyFips: '42029',
        state: 'PA',
        site: 'civilview',
        countyId: '36',
      }),
    );
    assert.deepEqual(refused, []);
    const sale = taken[0] ?? assert.fail();
    assert.deepEqual(
      [sale.sourceKey, sale.caseNumber, sale.parcelId, sale.judgmentAmount, sale.attorney, sale.openingBid],
      ['26-1-123', known('2025-01234-MF'), known('11-4-26'), known('145099.02'), notStated, notPublished],
    );
    assert.deepEqual(
      [sale.address, sale.city, sale.zip],
      [known('7 Example Road'), known('West Chester'), known('19380')],
    );
    assert.deepEqual([sale.saleStatus, sale.saleDate], ['adjourned', '2026-12-17']);
  });
});
