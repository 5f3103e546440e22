import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chooseColumns } from '../../../src/client/cli/columns.js';
import { renderTable } from '../../../src/client/cli/render-table.js';

const deal = {
  id: 'd40490ae-d130-57e9-a3c1-109daff714fa',
  address: '1441 1/2 Quarry Dr',
  city: 'Stow',
  state: 'OH',
  list_price: '1119500.00',
  units: 2,
  cap_rate: '12.77',
  cap_rate_underwritten: '13.25',
  dscr: '2.19',
  deal_score: 85,
  rental_status: 'Hot',
  why_this_is_interesting: 'Claimed cap 12.77% is within a point of the cap on HUD rents.',
  absent: {},
};
const bare = { ...deal, address: null, list_price: '950.5', cap_rate: null, dscr: null, deal_score: 7 };

const table = (rows: readonly Record<string, unknown>[], width: number) =>
  renderTable(rows, chooseColumns(rows), width).trimEnd().split('\n');

describe('records as a table', () => {
  it('shows a deal readably: dollars, percents, and a dash for absent values', () => {
    assert.deepEqual(
      table([deal, bare], 200).map((line) => line.replace(/ {2,}/g, '|')),
      [
        'Address|City|State|Price|Units|Cap|HUD cap|DSCR|Score|Status|Why|Id',
        table([deal], 200)[1]?.replace(/ {2,}/g, '|'),
        '1441 1/2 Quarry Dr|Stow|OH|$1,119,500|2|12.77%|13.25%|2.19|85|Hot|Claimed cap 12.77% is within a point of the cap on HUD rents.|d40490ae-d130-57e9-a3c1-109daff714fa',
        '-|Stow|OH|$950.5|2|-|13.25%|-|7|Hot|Claimed cap 12.77% is within a point of the cap on HUD rents.|d40490ae-d130-57e9-a3c1-109daff714fa',
      ],
    );
  });

  it('aligns numbers right and texts left', () => {
    const [, , first, second] = table([deal, bare], 160);
    assert.equal(first?.indexOf('$1,119,500'), second?.indexOf('    $950.5'));
    assert.equal(first?.indexOf('Stow'), second?.indexOf('Stow'));
  });

  it('drops optional columns before it shortens a text too much', () => {
    const [head, , row] = table([deal], 74);
    assert.equal(head, 'Address             City  State       Price  Units     Cap  Score  Status');
    assert.ok(row?.startsWith('1441 1/2 Quarry Dr'));
  });

  it('shortens texts with an ellipsis when the chosen columns alone are too wide', () => {
    const [head, , row] = table([deal], 66);
    assert.equal(head?.split(/ {2,}/).at(-1), 'Status');
    assert.match(row ?? '', /^1441 1\/2 Q…/);
  });

  it('shows an id in full, or not at all', () => {
    const widths = Array.from({ length: 180 }, (_, index) => 40 + index);
    const shown = widths.filter((width) => {
      const [head = '', , row = ''] = table([deal], width);
      assert.equal(/ Id$/.test(head), row.endsWith(deal.id), String(width));
      return row.endsWith(deal.id);
    });
    assert.ok(shown.length > 0 && shown.length < widths.length);
  });

  it('shows leads of several types with the columns of all of them', () => {
    const { id, city, state } = deal;
    const lead = { id, lead_score: 71, lead_type: 'sheriff_sale_auction', address: '1 A St', city, state };
    const rows = [
      { ...lead, sale_date: '2026-12-22', opening_bid: '60000.00', score_rationale: {} },
      { ...lead, lead_type: 'tax_delinquent_owner', amount: '1250.50' },
    ];
    assert.deepEqual(
      table(rows, 160)
        .map((line) => line.replace(/ {2,}/g, '|'))
        .filter((_, line) => line !== 1),
      [
        'Score|Kind|Address|City|State|Sale|Opening bid|Owed|Id',
        `|71|sheriff_sale_auction|1 A St|Stow|OH|2026-12-22|$60,000|-|${deal.id}`,
        `|71|tax_delinquent_owner|1 A St|Stow|OH|-|-|$1,250.50|${deal.id}`,
      ],
    );
  });

  it('shows every plain field of other records and no nested one', () => {
    const rows = [
      { county: 'Cuyahoga', amount: '12.50', source: { url: 'x' }, tags: [] },
      { county: null, late: true },
    ];
    assert.deepEqual(table(rows, 80), [
      'county    amount  late',
      '────────  ──────  ────',
      'Cuyahoga  12.50   -',
      '-         -       true',
    ]);
  });

  it('prevents texts of a source from controlling the terminal', () => {
    const text = table([{ name: 'a\u001b[2Jb\r\nc\u202ed\u0000e' }], 80).join('\n');
    assert.ok(text.endsWith('a [2Jb c d e'), JSON.stringify(text));
  });

  it('writes no line wider than the terminal, for any records', () => {
    const cell = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer(), fc.constant(null));
    const rows = fc.array(fc.record({ a: cell, b: cell, c: cell, deep: fc.constant({}) }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 150 }), (records, width) => {
        const lines = renderTable(records, chooseColumns(records), width).slice(0, -1).split('\n');
        assert.equal(lines.length, records.length + 2);
        for (const line of lines) assert.ok([...line].length <= width, `${width}: ${line}`);
      }),
    );
  });
});
