import { createHash } from 'node:crypto';
import { expectList, isObject } from '../../upstream/get-json.js';
import { askLayer, type LayerAccess } from './ask-layer.js';

/**
 * Tells the state of a layer from any other: by the moment of its last edit where the service says it, else by the
 * object ids of the rows that meet the condition, so that a row which comes or goes is noticed. Source: ArcGIS REST
 * API, Layer (`editingInfo.lastEditDate`) and Query (`returnIdsOnly`).
 */
export async function readLayerVersion(source: LayerAccess, where: string): Promise<string> {
  const { editingInfo } = await askLayer(source, '', {});
  const editedAt = isObject(editingInfo) ? editingInfo.lastEditDate : undefined;
  if (typeof editedAt === 'number') return `edited ${editedAt}`;
  const { objectIds } = await askLayer(source, '/query', { where, returnIdsOnly: 'true' });
  // A condition that no row meets is answered with null.
  const ids = objectIds === null ? [] : expectList(objectIds, `The object ids of ${source.name}`).map(String);
  return `rows ${createHash('sha256').update(ids.sort().join()).digest('hex')}`;
}
