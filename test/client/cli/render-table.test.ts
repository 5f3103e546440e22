import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { chooseColumns } from '../../../src/client/cli/columns.js';
import { renderTable } from '../../../src/client/cli/render-table.js';
import { createStyle } from '../../../src/terminal/style.js';

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
  renderTable(rows, chooseColumns(rows), { width }).text.trimEnd().split('\n');

describe('records as a table', () => {
  it('shows a deal readably: dollars, percents, and a dash for absent values', () => {
    assert.deepEqual(
      table([deal, bare], 200).map((line) => line.replace(/ {2,}/g, '|')),
      [
        '#|Price|Cap|HUD|DSCR|Score|Status|Address|City|State|Units|Why|Id',
        table([deal], 200)[1]?.replace(/ {2,}/g, '|'),
        '1|$1,119,500|12.77%|13.25%|2.19x|85|Hot|1441 1/2 Quarry Dr|Stow|OH|2|Claimed cap 12.77% is within a point of the cap on HUD rents.|d40490ae',
        '2|$951|—|13.25%|—|7|Hot|—|Stow|OH|2|Claimed cap 12.77% is within a point of the cap on HUD rents.|d40490ae',
      ],
    );
  });

  it('shows the price per unit of a list that was asked for by it, before anything that a narrow table drops', () => {
    const { text } = renderTable([deal, bare], chooseColumns([deal], '/api/deals?sort=price_per_unit'), { width: 60 });
    assert.match(text, /^# +Price +Per unit /);
    assert.match(text, /\$1,119,500 +\$559,750 /);
    assert.doesNotMatch(table([deal], 200).join(''), /Per unit/);
  });

  it('aligns numbers right and texts left', () => {
    const [, , first, second] = table([deal, bare], 160);
    assert.equal(first?.indexOf('$1,119,500'), second?.indexOf('      $951'));
    assert.equal(first?.indexOf('Stow'), second?.indexOf('Stow'));
  });

  it('drops columns from the right before it shortens a text too much, and says which', () => {
    const { text, dropped } = renderTable([deal], chooseColumns([deal]), { width: 74 });
    const [head, , row] = text.split('\n');
    assert.equal(head, '#       Price     Cap     HUD   DSCR  Score  Status  Address');
    assert.ok(row?.endsWith('1441 1/2 Quarry Dr'));
    assert.deepEqual(dropped, ['City', 'State', 'Units', 'Why', 'Id']);
  });

  it('keeps number, price, score and address down to 40 columns, and shortens the address at last', () => {
    for (let width = 40; width <= 200; width += 1) {
      const [head = '', , row = ''] = table([deal], width);
      for (const title of ['#', 'Price', 'Score', 'Address']) assert.ok(head.split(/ +/).includes(title), head);
      assert.match(row, /1441 1\/2 Q/);
    }
    assert.match(table([deal], 36)[2] ?? '', / 1441 1\/2 Quar…$/);
  });

  it('writes a status in its color and the head in bold, and no escape code without a style', () => {
    const style = createStyle(true);
    const rows = (['Hot', 'Warm', 'Pass'] as const).map((status) => ({ ...deal, rental_status: status }));
    const { text } = renderTable(rows, chooseColumns(rows), { width: 100, style });
    assert.match(text, /^\u001b\[1m#\u001b\[22m/);
    for (const shown of ['\u001b[1m\u001b[32mHot', '\u001b[33mWarm', '\u001b[2mPass']) assert.ok(text.includes(shown));
    assert.equal(stripVTControlCharacters(text), table(rows, 100).join('\n') + '\n');
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
        '|71|sheriff sale|1 A St|Stow|OH|22 Dec 2026|$60,000|—|d40490ae',
        '|71|owner behind on taxes|1 A St|Stow|OH|—|—|$1,251|d40490ae',
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
      'Cuyahoga  12.50   —',
      '—         —       true',
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
        const lines = renderTable(records, chooseColumns(records), { width }).text.slice(0, -1).split('\n');
        assert.equal(lines.length, records.length + 2);
        for (const line of lines) assert.ok([...line].length <= width, `${width}: ${line}`);
      }),
    );
  });
});
