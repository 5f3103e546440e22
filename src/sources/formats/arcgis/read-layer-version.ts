import { createHash } from 'node:crypto';
import { expectList, isObject } from '../../upstream/get-json.js';
import { askLayer, type LayerAccess } from './ask-layer.js';

/**
 * The version of a layer: the time of its last edit if the service states it, else a hash of the object ids of matching
 * rows, which changes when a row is added or removed. Source: ArcGIS REST API, Layer (`editingInfo.lastEditDate`) and
 * Query (`returnIdsOnly`).
 */
export async function readLayerVersion(source: LayerAccess, where: string): Promise<string> {
  const { editingInfo } = await askLayer(source, '', {});
  const editedAt = isObject(editingInfo) ? editingInfo.lastEditDate : undefined;
  if (typeof editedAt === 'number') return `edited ${editedAt}`;
  const { objectIds } = await askLayer(source, '/query', { where, returnIdsOnly: 'true' });
  // The service returns null when no row matches.
  const ids = objectIds === null ? [] : expectList(objectIds, `The object ids of ${source.name}`).map(String);
  return `rows ${createHash('sha256').update(ids.sort().join()).digest('hex')}`;
}
