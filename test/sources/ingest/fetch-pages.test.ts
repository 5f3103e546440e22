import assert from 'node:assert/strict';
import { fetchPages } from '../../../src/sources/ingest/fetch-pages.js';
import type { PagedSource, SourcePage } from '../../../src/sources/source.js';
import { licence } from './scripted-source.js';
import { rejects } from '../upstream/mock-server.js';

describe('fetchPages', () => {
  const source = (
    page: (cursor: string | undefined) => Partial<SourcePage>,
    countsRows = false,
  ): PagedSource<'listings'> => ({
    name: 'endless',
    kind: 'scripted',
    delivers: 'listings',
    licence,
    countsRows,
    fetchPage: async (cursor) => ({
      rows: [],
      nextCursor: undefined,
      fetchedAt: new Date('2026-11-22T06:00:00.000Z'),
      sourceUrl: 'https://endless.example/',
      ...page(cursor),
    }),
    parse: ({ key }) => ({ reject: 'row_unreadable', key, detail: 'unread' }),
  });
  const countPages = async (of: PagedSource<'listings'>) => {
    let count = 0;
    for await (const _page of fetchPages(of, { since: undefined, now: () => new Date(0) })) count += 1;
    return count;
  };
  const next = (cursor: string | undefined) => `${Number(cursor ?? 0) + 1}`;

  it('fails when a page leads back to an earlier one, in any number of steps', async () => {
    for (const links of [
      { start: 'a', a: 'a' },
      { start: 'a', a: 'b', b: 'a' },
      { start: 'a', a: 'b', b: 'c', c: 'a' },
    ]) {
      const circle = source((cursor = 'start') => ({ nextCursor: (links as Record<string, string>)[cursor] }));
      await rejects(countPages(circle), 'delivery_unreadable', /same page again/);
    }
  });

  it('fails when a page found by row counts repeats the rows of an earlier one', async () => {
    const rows = ['a', 'b'].map((key) => [{ key, payload: { key } }]);
    const ignorant = (cursor?: string) => ({ rows: rows[Number(cursor ?? 0) % 2] ?? [], nextCursor: next(cursor) });
    await rejects(countPages(source(ignorant, true)), 'delivery_unreadable', /same page again/);
  });

  it('accepts repeated rows from a source that does not count them', async () => {
    const twice = (cursor?: string) => ({
      rows: [{ key: 'a', payload: 1 }],
      nextCursor: cursor === '2' ? undefined : next(cursor),
    });
    assert.equal(await countPages(source(twice)), 3);
  });

  it('fails an endless source', async () => {
    const endless = (cursor?: string) => ({ nextCursor: next(cursor) });
    await rejects(countPages(source(endless)), 'delivery_unreadable', /has no end: more than 20000 pages/);
  });
});
