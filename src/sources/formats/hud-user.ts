import { parseAreaRow } from './hud/area-rents-row.js';
import { fetchFromApi, type HudApi } from './hud/hud-api.js';
import { fetchFromFile, type HudFile } from './hud/hud-file.js';
import type { Licence, PagedSource } from '../source.js';

/** HUD's API, or its yearly workbook, unchanged or saved as CSV. */
export type HudUserSource = HudApi | (HudFile & { readonly licence: Licence });

/**
 * HUD's Fair Market Rents by county and (as Small Area FMRs) by ZIP, as a source. Areas are identified by code and
 * year, since HUD renames them.
 */
export function createHudUserSource(source: HudUserSource): PagedSource<'rents'> {
  return {
    name: source.name,
    kind: 'hud-user',
    delivers: 'rents',
    licence: source.licence,
    fetchPage: (_cursor, _watermark, knownEtag) =>
      'file' in source ? fetchFromFile(source, knownEtag) : fetchFromApi(source),
    parse: parseAreaRow,
  };
}
