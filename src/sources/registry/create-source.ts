import { dirname, resolve } from 'node:path';
import { createArcgisSource } from '../formats/arcgis.js';
import { digestOf } from '../read/digest-of.js';
import { createFixedWidthSource } from '../formats/fixed-width.js';
import { createHtmlTableSource } from '../formats/html-table.js';
import { createHudUserSource } from '../formats/hud-user.js';
import type { RecordMapping } from '../formats/record-mapping.js';
import { createRentcastSource } from '../formats/rentcast.js';
import { createResoSource } from '../formats/reso-odata.js';
import { createSocrataSource } from '../formats/socrata.js';
import type { SourceAccess } from '../source-access.js';
import type { Source } from '../source.js';
import { toLicence } from '../stated-licence.js';
import type { Upstream } from '../upstream/upstream.js';
import { deliveredBy, type SourceEntry } from './source-entry.js';

/** A source of whatever it delivers. */
export type AnySource =
  Source<'listings'> | Source<'signals'> | Source<'auctions'> | Source<'parcels'> | Source<'rents'>;

export interface SourcePorts {
  /** Shared by all sources of the process. */
  readonly upstream: Upstream;
  readonly now: () => Date;
  /** The value of an environment variable `SOURCE_SECRET_...`; undefined when it is not set. */
  readonly readSecret: (name: string) => string | undefined;
  /** Aborts when what the sources are fetching is not wanted any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Requests a minute where an entry says nothing: fewer for pages that are made for people. */
const usualPerMinute = { page: 20, interface: 60 };

/** Creates the source of one entry. `file` is the file of sources: paths in it are relative to its directory. */
export function createSource(entry: SourceEntry, file: string, ports: SourcePorts): AnySource {
  const covers = 'county' in entry ? [entry.county.fips] : 'covers' in entry ? entry.covers : undefined;
  return { ...createByKind(entry, file, ports), covers, configuration: configurationOf(entry) };
}

/**
 * Whatever decides which rows there are and what they mean; how long and how often they may be asked for does not, and
 * neither does what they cover.
 */
function configurationOf(entry: SourceEntry): string {
  const { comment: _comment, enabled: _enabled, requestsPerMinute: _pace, licence, ...rest } = entry;
  return digestOf([{ ...rest, covers: undefined }, licence.displayFields]);
}

function createByKind(entry: SourceEntry, file: string, ports: SourcePorts): AnySource {
  const access = accessOfEntry(entry, ports);
  const pathOf = (path: string) => resolve(dirname(file), path);
  switch (entry.kind) {
    case 'reso-odata':
      return createResoSource({ ...entry, ...access });
    case 'rentcast':
      return createRentcastSource({ ...entry, ...access });
    case 'socrata': {
      const table = { ...entry, ...access, mapping: mappingOf(entry) };
      return entry.delivers === 'signals'
        ? createSocrataSource({ ...table, delivers: 'signals' })
        : createSocrataSource({ ...table, delivers: 'parcels' });
    }
    case 'arcgis': {
      const table = { ...entry, ...access, mapping: mappingOf(entry) };
      return entry.delivers === 'signals'
        ? createArcgisSource({ ...table, delivers: 'signals' })
        : createArcgisSource({ ...table, delivers: 'parcels' });
    }
    case 'fixed-width': {
      const { document } = entry;
      const located = 'file' in document ? { file: pathOf(document.file) } : document;
      return createFixedWidthSource({ ...entry, ...access, ...countyOf(entry), document: located });
    }
    case 'html-table': {
      const { site, countyId = '', months } = entry;
      const where = { ...access, ...countyOf(entry) };
      return createHtmlTableSource(site === 'civilview' ? { ...where, site, countyId } : { ...where, site, months });
    }
    case 'hud-user': {
      const { file: figures, fiscalYear = 0, counties = [] } = entry;
      return createHudUserSource(
        figures === undefined
          ? { ...access, counties: counties.map(({ fips, state }) => ({ state, countyFips: fips })) }
          : { ...access, file: pathOf(figures), fiscalYear },
      );
    }
  }
}

function accessOfEntry(entry: SourceEntry, { upstream, now, readSecret, signal }: SourcePorts): SourceAccess {
  return {
    name: entry.name,
    licence: toLicence(deliveredBy(entry), entry.licence),
    upstream,
    now,
    baseUrl: entry.baseUrl ?? '',
    requestsPerMinute:
      entry.requestsPerMinute ?? (entry.kind === 'html-table' ? usualPerMinute.page : usualPerMinute.interface),
    allowPrivate: entry.allowPrivate,
    secret: entry.secret === undefined ? undefined : readSecret(entry.secret),
    signal,
  };
}

function mappingOf(entry: Extract<SourceEntry, { key: unknown }>): RecordMapping {
  const { key, columns, constants, flags, recordUrl } = entry;
  return { ...countyOf(entry), key, columns, constants, flags, recordUrl };
}

function countyOf({ county: { fips, state, parcelLength } }: Extract<SourceEntry, { county: unknown }>) {
  return { countyFips: fips, state, parcelLength };
}
