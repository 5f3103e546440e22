import assert from 'node:assert/strict';
import { buildRentRows } from '../../../src/underwriting/rents/build-rent-rows.js';
import { adviseOnRents, effectiveFrom, judgeRentTable } from '../../../src/underwriting/rents/judge-rent-table.js';
import { readRentTable, type RentRow, writeRentTable } from '../../../src/underwriting/rents/rent-table.js';

const on = new Date('2026-11-21');

/** A hundred ZIPs, all with a two-bedroom rent of 1000 but those that are given. */
function rowsOf(others: Readonly<Record<string, number>> = {}, count = 100): RentRow[] {
  return Array.from({ length: count }, (_, index) => {
    const code = String(44000 + index);
    const rent = others[code] ?? 1000;
    return { code, rents: [rent, rent, rent, rent, rent], areas: [] };
  });
}

function tableOf(rows: readonly RentRow[], fiscalYear = 2026, complete = true) {
  const header = {
    table: 'safmr',
    fiscal_year: fiscalYear,
    file: 'x',
    effective: 'x',
    published: 'x',
    complete,
  } as const;
  return readRentTable(Buffer.from(writeRentTable(header, rows)));
}

const former = tableOf(rowsOf());
const all = (rent: number) => Object.fromEntries(rowsOf().map(({ code }) => [code, rent]));
const judge = (rows: readonly RentRow[], fiscalYear = 2027, isPartial = false) =>
  judgeRentTable({ table: 'safmr', fiscal_year: fiscalYear }, rows, { former, isPartial, on });

describe('judgeRentTable', () => {
  it('accepts a table like the former one, and tells its median and its largest changes', () => {
    const {
      median,
      former: was,
      largest,
      isWhole,
      refusals,
    } = judge(rowsOf({ ...all(1040), 44007: 1300, 44003: 810 }));
    assert.deepEqual([median, was, isWhole, refusals], [1040, { fiscalYear: 2026, median: 1000 }, true, []]);
    assert.equal(largest.length, 10);
    assert.deepEqual(largest.slice(0, 2), [
      { code: '44007', before: 1000, after: 1300 },
      { code: '44003', before: 1000, after: 810 },
    ]);
  });

  for (const [what, rows, fiscalYear, refusal] of [
    ['a year after the next', rowsOf(), 2029, /FY2029 is not within a year of FY2027/],
    ['a year before the last', rowsOf(), 2025, /FY2025 is not within a year/],
    ['fewer than 95% of the places', rowsOf({}, 94), 2027, /94 of 100 ZIPs; with --partial/],
    ['a median that falls by more than 15%', rowsOf(all(840)), 2027, /median change of -16%/],
    ['a median that rises by more than 20%', rowsOf(all(1210)), 2027, /median change of \+21%/],
    [
      'two of a hundred places that fall by more than 20%',
      rowsOf({ 44001: 790, 44002: 790 }),
      2027,
      /2 of 100 ZIPs .* first 44001/,
    ],
    ['two of a hundred places that rise by more than 50%', rowsOf({ 44001: 1510, 44002: 1600 }), 2027, /2 of 100 ZIPs/],
  ] as const)
    it(`refuses ${what}`, () => {
      const { refusals } = judge(rows, fiscalYear);
      assert.equal(refusals.length, 1);
      assert.match(refusals[0] ?? '', refusal);
    });

  it('accepts the limits themselves, and a part where it is wanted', () => {
    for (const [rows, fiscalYear] of [
      [rowsOf({}, 95), 2027],
      [rowsOf(), 2026],
      [rowsOf(), 2028],
      [rowsOf(all(850)), 2027],
      [rowsOf(all(1200)), 2027],
      [rowsOf({ 44001: 500 }), 2027],
      [rowsOf({ 44001: 800, 44002: 1500, 44003: 800 }), 2027],
    ] as const)
      assert.deepEqual(judge(rows, fiscalYear).refusals, []);
    const part = judge(rowsOf({}, 3), 2027, true);
    assert.deepEqual([part.isWhole, part.refusals], [false, []]);
  });

  it('accepts any first table', () => {
    const first = judgeRentTable({ table: 'fmr', fiscal_year: 2027 }, rowsOf(), {
      former: undefined,
      isPartial: false,
      on,
    });
    assert.deepEqual([first.former, first.largest, first.isWhole, first.refusals], [undefined, [], true, []]);
  });
});

describe('buildRentRows', () => {
  const line = (code: string, rents: string, area = '', isMetropolitan: boolean | undefined = undefined) => ({
    ...{ place: `x.csv, row ${code}`, code, area, isMetropolitan },
    rents: rents.split(' '),
  });

  it('names each line that is not as HUD publishes them', () => {
    const { rows, faults } = buildRentRows('zip', [
      line('44101', '700 800 790 1000 1100'),
      line('44102', '700 800 900 1000 1101'),
      line('44103', '700 800 900 1000'),
      line('44104', '700 800 n/a 1000 1100'),
      line('4410', '700 800 900 1000 1100'),
      line('44105', '700 700 900 900 1100'),
    ]);
    assert.deepEqual(
      rows.map(({ code }) => code),
      ['44105'],
    );
    assert.deepEqual(faults, [
      'x.csv, row 44101: the rents 700 800 790 1000 1100 fall with more bedrooms',
      'x.csv, row 44102: the rents 700 800 900 1000 1101 of a ZIP are no multiples of 10',
      'x.csv, row 44103: five rents in whole dollars are expected, not 700 800 900 1000',
      'x.csv, row 44104: five rents in whole dollars are expected, not 700 800 n/a 1000 1100',
      'x.csv, row 4410: a code of five digits is expected',
    ]);
  });

  it('makes one row of a ZIP with equal rents in several areas, and one a rent of others', () => {
    const { rows } = buildRentRows('zip', [
      line('44101', '700 800 900 1000 1100', 'A'),
      line('44101', '700 800 900 1000 1100', 'B'),
      line('44102', '700 800 900 1000 1100', 'A'),
      line('44102', '700 800 950 1000 1100', 'B'),
      line('44103', '700 800 900 1000 1100', 'A'),
    ]);
    assert.deepEqual(
      rows.map(({ code, rents, areas }) => `${code} ${rents[2]} ${areas.join()}`),
      ['44101 900 A,B', '44102 900 A', '44102 950 B', '44103 900 '],
    );
  });

  it('makes one row of a county, with the lowest of its rents and all of its areas', () => {
    const { rows } = buildRentRows('county', [
      line('25009', '701 800 950 1000 1100', 'A', true),
      line('25009', '600 800 901 1000 1200', 'B', true),
      line('25009', '600 800 901 1000 1200', 'B', true),
    ]);
    assert.deepEqual(rows, [
      { code: '25009', rents: [600, 800, 901, 1000, 1200], areas: ['A', 'B'], isMetropolitan: true },
    ]);
  });
});

describe('effectiveFrom', () => {
  it('is October 1, and of a revision a working day 30 days after it', () => {
    assert.equal(effectiveFrom(2026, '2025-08-22'), '2025-10-01');
    assert.equal(effectiveFrom(2026, '2026-04-21'), '2026-05-21');
    assert.equal(effectiveFrom(2025, '2025-03-28'), '2025-04-28');
  });
});

describe('adviseOnRents', () => {
  const fmr = (fiscalYear: number) => {
    const header = {
      table: 'fmr',
      fiscal_year: fiscalYear,
      file: 'x',
      effective: 'x',
      published: 'x',
      complete: true,
    } as const;
    const rows = rowsOf().map((row) => ({ ...row, isMetropolitan: true }));
    return readRentTable(Buffer.from(writeRentTable(header, rows)));
  };
  const tables = [tableOf(rowsOf(), 2027), fmr(2027)];

  it("says from September 1 what to do, until the next year's tables are loaded whole", () => {
    assert.equal(adviseOnRents(tables, new Date('2027-08-31T23:59:59Z')), undefined);
    const advice = adviseOnRents(tables, new Date('2027-09-01')) ?? '';
    assert.match(advice, /^Of FY2028 the Small Area FMRs \(by ZIP\) and the FMRs \(by county\) are not loaded whole/);
    assert.match(advice, /npm run cli -- rents load/);
    const part = [...tables, tableOf(rowsOf(), 2028, false), fmr(2028)];
    assert.match(
      adviseOnRents(part, new Date('2027-12-01')) ?? '',
      /^Of FY2028 the Small Area FMRs \(by ZIP\) are not/,
    );
    assert.equal(adviseOnRents([...part, tableOf(rowsOf(), 2028)], new Date('2027-12-01')), undefined);
  });
});
