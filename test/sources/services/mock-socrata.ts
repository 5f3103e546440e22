import { jsonReply, type MockRow, type MockServer } from './mock-server.js';

export interface MockDataset {
  readonly columns: readonly string[];
  readonly readRows: (day: string) => readonly MockRow[];
}

/**
 * A mock server of the Socrata Open Data API, with datasets by four-by-four id. It supports one condition, a column `in
 * (...)`. A row omits empty cells, and a table's version is the day. Source: SODA 2.1.
 */
export function createMockSocrata(datasets: Readonly<Record<string, MockDataset>>): MockServer {
  return ({ url, headers, day }) => {
    const dataset = datasets[/^\/resource\/([a-z0-9-]+)\.json$/.exec(url.pathname)?.[1] ?? ''];
    if (dataset === undefined) return toError(404, 'dataset.missing');
    const version = new Date(`${day}T00:00:00Z`).toUTCString();
    const stamp = { 'x-soda2-truth-last-modified': version };
    if (headers['if-modified-since'] === version) return { status: 304, headers: stamp, body: '' };
    const select = (url.searchParams.get('$select') ?? '').split(',').map((name) => name.replaceAll('`', ''));
    if (select.some((name) => !dataset.columns.includes(name))) return toError(400, 'query.soql.no-such-column');
    const where = readCondition(url.searchParams.get('$where'));
    if (where === undefined || !url.searchParams.has('$order')) return toError(400, 'query.compiler.malformed');
    const offset = Number(url.searchParams.get('$offset') ?? 0);
    const rows = dataset
      .readRows(day)
      .filter(where)
      .slice(offset, offset + Number(url.searchParams.get('$limit') ?? 1_000));
    const body = rows.map((row) =>
      Object.fromEntries(select.flatMap((name) => ((row[name] ?? null) === null ? [] : [[name, row[name]]]))),
    );
    return jsonReply(body, 200, stamp);
  };
}

/** Undefined when the condition is not supported. */
function readCondition(text: string | null): ((row: MockRow) => boolean) | undefined {
  if (text === null) return () => true;
  const match = /^`(\w+)` in \(((?:'[^']*',?)*)\)$/.exec(text);
  const values = new Set(match?.[2]?.split(',').map((value) => value.slice(1, -1)));
  return match === null ? undefined : (row) => values.has(String(row[match[1] ?? '']));
}

function toError(status: number, code: string) {
  return jsonReply({ code, error: true, message: 'The query is not understood.', data: {} }, status);
}
