import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { absent, known } from '../../../src/absence.js';
import { createFixedWidthSource, type FixedWidthSource } from '../../../src/sources/formats/fixed-width.js';
import { aggregateRoll } from '../../../src/sources/formats/aggregate-roll.js';
import { accessTo } from '../access.js';
import { readSource } from '../read-source.js';
import { createTestClock, rejects, startMockServer } from '../upstream/mock-server.js';

interface Line {
  readonly account?: string;
  readonly year?: number;
  readonly jurisdiction?: string;
  readonly owner?: string;
  readonly code?: string;
  readonly number?: string;
  readonly street?: string;
  readonly cents?: number | string;
}

/** One line of the roll, with the owner's own city and ZIP at their columns. */
function line(of: Line = {}): string {
  const places: readonly (readonly [number, string])[] = [
    [1, of.account ?? '00000100000000001'],
    [35, String(of.year ?? 2024)],
    [39, of.jurisdiction ?? '1001'],
    [43, of.account ?? '00000100000000001'],
    [77, '00000245000'],
    [226, of.owner ?? 'EXAMPLE HOLDINGS LLC'],
    [266, 'PO BOX 100'],
    [386, 'ELSEWHERE'],
    [426, 'OK73007'],
    [440, of.code ?? 'R'],
    [441, of.number ?? '100'],
    [449, of.street ?? 'EXAMPLE AVE, DA'],
    [490, String(of.cents ?? 301200).padStart(11, '0')],
  ];
  let text = '';
  for (const [start, value] of places) text = text.padEnd(start - 1) + value;
  return `${text.padEnd(500)}\n`;
}

describe('createFixedWidthSource', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'roll-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const clock = createTestClock();
  const options = (rest: Partial<FixedWidthSource> = {}): FixedWidthSource => ({
    ...accessTo('http://unused', {}, clock),
    document: { file: join(directory, 'roll.txt') },
    countyFips: '48113',
    state: 'TX',
    cities: { DA: 'Dallas' },
    recordUrl: 'https://county.example/roll',
    ...rest,
  });
  const read = async (content: string, rest: Partial<FixedWidthSource> = {}, knownEtag?: string) => {
    const file = join(directory, 'roll.txt');
    await writeFile(file, content);
    await utimes(file, clock.now(), clock.now());
    return readSource(() => createFixedWidthSource(options(rest)), { knownEtag });
  };

  it('sums an account over its years and jurisdictions, with two implied decimals', async () => {
    const { taken } = await read(
      line({ year: 2023, cents: 351200 }) +
        line({ year: 2024, cents: 301200 }) +
        line({ year: 2024, jurisdiction: '1002', cents: 1 }),
    );
    assert.deepEqual(taken, [
      {
        sourceKey: '00000100000000001',
        signalType: 'tax_delinquent',
        countyFips: '48113',
        state: 'TX',
        address: known('100 EXAMPLE AVE'),
        city: known('Dallas'),
        zip: absent('not_published_by_source'),
        ownerName: 'EXAMPLE HOLDINGS LLC',
        parcelId: '00000100000000001',
        amount: '6524.01',
        sourceUrl: 'https://county.example/roll',
        yearsOwed: known(2),
        taxSaleDate: absent('not_published_by_source'),
        assessedValue: absent('not_published_by_source'),
        sourcePublishedAt: absent('not_published_by_source'),
        listYear: absent('not_published_by_source'),
      },
    ]);
  });

  it('sums accounts whose lines are separate, and uses owner and place of the latest year', async () => {
    const { taken } = await read(
      line({ year: 2024, owner: 'NEW OWNER' }) + line({ account: '2' }) + line({ year: 2022, owner: 'OLD OWNER' }),
    );
    assert.deepEqual(
      taken.map(({ parcelId, ownerName, amount }) => [parcelId, ownerName, amount]),
      [
        ['00000100000000001', 'NEW OWNER', '6024.00'],
        ['2', 'EXAMPLE HOLDINGS LLC', '3012.00'],
      ],
    );
  });

  it('counts only years with debt after their credits, and uses the owner of the latest of these', async () => {
    const { taken } = await read(
      line({ account: '1', year: 2022, cents: '-0000002000', owner: 'OLD OWNER' }) +
        line({ account: '1', year: 2023, cents: 50000, owner: 'OWNER' }) +
        line({ account: '2', year: 2021, cents: 10000, owner: 'NEW OWNER' }) +
        line({ account: '2', year: 2020, cents: 500, owner: 'OWNER' }) +
        line({ account: '2', year: 2021, cents: '-0000010000', owner: 'NEW OWNER' }),
    );
    assert.deepEqual(
      taken.map(({ parcelId, ownerName, amount, yearsOwed }) => [parcelId, ownerName, amount, yearsOwed]),
      [
        ['1', 'OWNER', '480.00', known(1)],
        ['2', 'OWNER', '5.00', known(1)],
      ],
    );
  });

  it('omits paid accounts, other than real property, and accounts outweighed by credits', async () => {
    const { taken } = await read(
      line({ account: '1', cents: 0 }) +
        line({ account: '2', code: 'P' }) +
        line({ account: '3', cents: 100 }) +
        line({ account: '3', cents: '-0000000100' }) +
        line({ account: '4', cents: 5 }),
    );
    assert.deepEqual(
      taken.map(({ parcelId, amount }) => [parcelId, amount]),
      [['4', '0.05']],
    );
  });

  it("omits the year that is not yet delinquent, by the county's own calendar", async () => {
    const years = [2024, 2025, 2026].map((year) => line({ account: `${year}`, year })).join('');
    const left = async (at: string) => {
      clock.set(at);
      return (await read(years)).taken.map(({ parcelId }) => parcelId);
    };
    assert.deepEqual(await left('2026-11-22T06:00:00.000Z'), ['2024', '2025']);
    // 05:00 UTC on 1 February is still January in Dallas, where 2025 is due until the end of the month.
    assert.deepEqual(await left('2026-02-01T05:00:00.000Z'), ['2024']);
    assert.deepEqual(await left('2026-02-01T07:00:00.000Z'), ['2024', '2025']);
    clock.set('2026-11-22T06:00:00.000Z');
  });

  it("never uses the owner's mailing address for the property", async () => {
    const { taken } = await read(
      line({ account: '1', number: '', street: '' }) +
        line({ account: '2', number: '0', street: 'SAMPLE RD, DA' }) +
        line({ account: '3', street: 'SAMPLE ST, XX' }),
    );
    assert.deepEqual(
      taken.map(({ address, city }) => [address, city]),
      [
        [absent('no_situs_address'), absent('not_stated_by_source')],
        [absent('no_situs_address'), known('Dallas')],
        [known('100 SAMPLE ST'), absent('parse_failed')],
      ],
    );
  });

  it('rejects a line of another layout and an account without an owner, and keeps the lines beside them', async () => {
    const many = Array.from({ length: 300 }, (_, index) => line({ account: `${index}` })).join('');
    const { taken, refused } = await read(`${many}too short\n${line({ account: 'x', owner: '' })}`);
    assert.equal(taken.length, 300);
    assert.deepEqual(
      refused.map(({ reject, key }) => [reject, key]),
      [
        ['missing_owner', 'x'],
        ['row_unreadable', 'line 301'],
      ],
    );
  });

  it('fails the run when the columns have moved, when the file is empty, and when it is missing', async () => {
    const moved = Array.from({ length: 50 }, () => ` ${line()}`).join('');
    await rejects(read(moved), 'delivery_unreadable', /layout/);
    await rejects(read(''), 'delivery_missing');
    await rejects(read('x'.repeat(10_000)), 'delivery_unreadable', /lines/);
    await rm(join(directory, 'roll.txt'));
    await rejects(
      readSource(() => createFixedWidthSource(options())),
      'delivery_missing',
    );
  });

  it('returns pages of 200', async () => {
    const { taken, pages } = await read(
      Array.from({ length: 450 }, (_, index) => line({ account: `${index}` })).join(''),
    );
    assert.deepEqual([taken.length, pages.length], [450, 3]);
  });

  it('reads the roll from a server, and not again while the server reports it unchanged', async () => {
    const content = line() + line({ account: '2' });
    const mockServer = await startMockServer((request, response) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"v1"' }).end(content);
    });
    const create = () =>
      createFixedWidthSource(options({ ...accessTo(mockServer.url, {}, clock), document: { path: 'roll.txt' } }));
    const first = await readSource(create);
    const etag = first.pages[0]?.etag;
    const second = await readSource(create, { knownEtag: etag });
    assert.deepEqual([first.taken.length, second.taken.length, second.pages[0]?.etag], [2, 0, etag]);
    // A new tax year produces other rows from the same file.
    clock.set('2027-02-02T00:00:00.000Z');
    assert.equal((await readSource(create, { knownEtag: etag })).taken.length, 2);
    clock.set('2026-11-22T06:00:00.000Z');
    await mockServer.close();
  });

  it('reads the same roll again after a change of its configuration', async () => {
    const etag = (await read(line())).pages[0]?.etag;
    assert.equal((await read(line(), {}, etag)).taken.length, 0);
    for (const other of [
      { cities: { DA: 'Dallas City' } },
      { recordUrl: 'https://county.example/other' },
      { state: 'OK' },
    ])
      assert.equal((await read(line(), other, etag)).taken.length, 1, JSON.stringify(other));
  });

  it('keeps only the indebted accounts in memory, for a roll of any length', async () => {
    const block = Buffer.from(Array.from({ length: 500 }, (_, index) => line({ account: `${index}` })).join(''));
    const paid = Buffer.from(
      Array.from({ length: 2_000 }, (_, index) => line({ account: `p${index}`, cents: 0 })).join(''),
    );
    function* roll() {
      yield block;
      for (let index = 0; index < 150; index += 1) yield paid;
    }
    const before = process.memoryUsage().rss;
    const { accounts, lines } = await aggregateRoll(Readable.from(roll()), 2026);
    const grownMb = (process.memoryUsage().rss - before) / 1024 ** 2;
    assert.deepEqual([[...accounts].length, lines], [500, 300_500]);
    assert.ok(grownMb < 100, `150 MB of roll took ${grownMb.toFixed(0)} MB of memory`);
  });
});
