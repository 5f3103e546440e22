import type { RawRow, RowReject } from '../source.js';

const pageRows = 200;

/** Rows in pages of at most 200; one empty page without rows. */
export async function* inPages(
  rows: AsyncIterable<RawRow | RowReject> | Iterable<RawRow | RowReject>,
): AsyncGenerator<readonly (RawRow | RowReject)[]> {
  let page: (RawRow | RowReject)[] = [];
  for await (const row of rows) {
    if (page.length === pageRows) {
      yield page;
      page = [];
    }
    page.push(row);
  }
  yield page;
}
