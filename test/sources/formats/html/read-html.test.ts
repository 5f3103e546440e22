import assert from 'node:assert/strict';
import { findAll, findTables, isTag, readHtml, textOf } from '../../../../src/sources/formats/html/read-html.js';
import { rejects } from '../../upstream/mock-server.js';

describe('readHtml', () => {
  const refuses = (html: string) => rejects((async () => readHtml(html))(), 'delivery_unreadable', /deep/);

  it('refuses a page of nested tables, closed or not, before parsing all of it', async () => {
    await refuses('<table><tr><td>'.repeat(2_000));
    await refuses('<table><tr><td>'.repeat(500_000));
    await refuses(`${'<table><tr><td>'.repeat(2_000)}x${'</td></tr></table>'.repeat(2_000)}`);
  });

  it('refuses a page whose few unclosed tags would make a tree far larger than the page', () =>
    refuses(`<p>${Array.from({ length: 100 }, (_, index) => `<b id=${index}>`).join('')}${'<p>x'.repeat(1_000_000)}`));

  it('parses a page of consecutive elements, for any number of unclosed ones', () => {
    const html = `<table>${'<tr><td>a<td>b<p>c'.repeat(10_000)}</table>`;
    assert.equal(findAll(readHtml(html), isTag('td')).length, 20_000);
  });

  it('reads the text of an element with very many parts', () => {
    assert.equal(textOf(readHtml(`<div>${'x<!-- -->'.repeat(300_000)}</div>`)).length, 300_000);
  });
});

describe('findTables', () => {
  const inner = '<table><tr><th>Status<th>Date<tr><td>Inner<td>1/1/2026</table>';

  it('separates the rows and cells of a table from those of a table within it', () => {
    const page = readHtml(`<table><tr><th>Status<th>Date<tr><td>Outer ${inner}<td><a href="/x">1/2/2026</a></table>`);
    assert.deepEqual(
      findTables(page, ['status', 'date']).map(({ rows }) => rows),
      [
        [{ cells: ['Outer StatusDateInner1/1/2026', '1/2/2026'], links: ['/x'] }],
        [{ cells: ['Inner', '1/1/2026'], links: [] }],
      ],
    );
  });

  it('ignores a table that only lays out another one', () => {
    const page = readHtml(`<table><tr><td>menu<td>${inner}</table>`);
    assert.equal(findTables(page, ['status', 'date']).length, 1);
  });
});
