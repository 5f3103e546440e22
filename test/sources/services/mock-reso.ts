import { jsonReply, type MockServer } from './mock-server.js';

type Property = Readonly<Record<string, unknown>>;

export interface MockListingService {
  /** The bearer token required. */
  readonly token: string;
  readonly readProperties: () => readonly Property[];
}

/** Maximum number of properties per page, whatever is requested. */
const pageSize = 50;

/**
 * A mock RESO Web API server with linked pages, and conditions that are comparisons joined by `and`. Requires its
 * token. Source: RESO Web API Core 2.0; OData 4.0, URL Conventions.
 */
export function createMockReso({ token, readProperties }: MockListingService): MockServer {
  return ({ url, headers }) => {
    if (headers.authorization !== `Bearer ${token}`) return toError(401, 'The token is not known.');
    if (url.pathname !== '/Property') return toError(404, 'The resource is not known.');
    const where = readCondition(url.searchParams.get('$filter') ?? '');
    const orderBy = url.searchParams.get('$orderby');
    if (where === undefined || orderBy === null) return toError(400, 'The query is not understood.');
    const found = readProperties().filter(where);
    const sorted = found.sort((one, other) => String(one[orderBy]).localeCompare(String(other[orderBy])));
    const start = Number(url.searchParams.get('$skip') ?? 0);
    const end = start + Math.min(pageSize, Number(url.searchParams.get('$top') ?? pageSize));
    const names = (url.searchParams.get('$select') ?? '').split(',');
    const base = url.origin;
    const next = new URL(`${base}${url.pathname}${url.search}`);
    next.searchParams.set('$skip', `${end}`);
    // OData requires %20 for a space, not the plus of forms.
    const nextLink = next.href.replaceAll('+', '%20');
    return jsonReply({
      '@odata.context': `${base}/$metadata#Property`,
      value: sorted
        .slice(start, end)
        .map((property) => Object.fromEntries(names.map((name) => [name, property[name] ?? null]))),
      ...(end < sorted.length ? { '@odata.nextLink': nextLink } : {}),
    });
  };
}

/** Undefined when a comparison is not supported. */
function readCondition(text: string): ((property: Property) => boolean) | undefined {
  const comparisons = text.split(' and ').map((each) => /^(\w+) (eq|ge) '?([^']*)'?$/.exec(each));
  if (comparisons.includes(null)) return undefined;
  return (property) =>
    comparisons.every((comparison) => {
      const [, name = '', operator, value = ''] = comparison ?? [];
      const own = String(property[name]);
      return operator === 'eq' ? own === value : own >= value;
    });
}

function toError(status: number, message: string) {
  return jsonReply({ error: { code: `${status}`, message } }, status);
}
