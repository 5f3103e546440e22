import { jsonReply, type MockRow, type MockServer } from './mock-server.js';

export interface MockLayer {
  /** Types of all columns by name, such as `esriFieldTypeString`; one is `esriFieldTypeOID`. */
  readonly columns: Readonly<Record<string, string>>;
  readonly readRows: (day: string) => readonly MockRow[];
}

/** Maximum number of rows per page, whatever is requested. */
const maxRecordCount = 50;

/**
 * A mock ArcGIS FeatureServer with layers by path: pages with `exceededTransferLimit`, errors with status 200. Source:
 * ArcGIS REST API, Query (Feature Service/Layer).
 */
export function createMockArcgis(layers: Readonly<Record<string, MockLayer>>): MockServer {
  return ({ url, day }) => {
    const layer = layers[url.pathname.replace(/^\/(.*?)(\/query)?$/, '$1')];
    if (layer === undefined) return toError(404, 'Layer not found');
    if (!url.pathname.endsWith('/query')) return describe(layer, day);
    if (url.searchParams.get('returnCountOnly') === 'true') return jsonReply({ count: layer.readRows(day).length });
    const names = (url.searchParams.get('outFields') ?? '').split(',');
    const unknown = names.find((name) => !Object.hasOwn(layer.columns, name));
    if (unknown !== undefined) return toError(400, 'Invalid query parameters');
    const rows = layer.readRows(day);
    const offset = Number(url.searchParams.get('resultOffset') ?? 0);
    const wanted = Number(url.searchParams.get('resultRecordCount') ?? maxRecordCount);
    const page = rows.slice(offset, offset + Math.min(wanted, maxRecordCount));
    return jsonReply({
      objectIdFieldName: objectIdOf(layer),
      globalIdFieldName: '',
      fields: names.map((name) => ({ name, type: layer.columns[name], alias: name })),
      ...(offset + page.length < rows.length ? { exceededTransferLimit: true } : {}),
      features: page.map((row) => ({
        attributes: Object.fromEntries(names.map((name) => [name, row[name] ?? null])),
      })),
    });
  };
}

/** A layer is edited once a day. */
function describe(layer: MockLayer, day: string) {
  const lastEditDate = Date.parse(day);
  return jsonReply({ type: 'Table', objectIdField: objectIdOf(layer), editingInfo: { lastEditDate } });
}

function objectIdOf({ columns }: MockLayer): string | undefined {
  return Object.keys(columns).find((name) => columns[name] === 'esriFieldTypeOID');
}

function toError(code: number, message: string) {
  return jsonReply({ error: { code, message, details: [] } });
}
