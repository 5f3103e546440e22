import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import { identifyAuction } from '../../src/counties/auctions/auction-identity.js';
import type { ObservedAuction } from '../../src/counties/auctions/auction.js';
import { identifyByAddress, identifyListing } from '../../src/listings/listing-identity.js';
import type { ObservedListing } from '../../src/listings/listing.js';
import { leaveOutFields } from '../../src/policy/leave-out-fields.js';
import { identifySignal, type ObservedSignal } from '../../src/counties/signals/signal.js';
import type { Delivered, DeliveryKind, Licence } from '../../src/sources/source.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observe } from '../listings/observation.js';
import { observeParcel } from '../counties/parcels/observed-parcel.js';
import { observeSignal } from '../counties/signals/observed-signal.js';

/** Properties of one county; the last one never changes. */
export const places = [
  { street: '310 Alder Ave', bare: '310 Alder', zip: '44105', city: 'Cleveland', parcel: '100-01-001' },
  { street: '310 Maple St', bare: '310 Maple', zip: '44105', city: 'Cleveland', parcel: '100-01-002' },
  { street: '420 Birch Rd', bare: '420 Birch', zip: '44105', city: 'Cleveland', parcel: '100-02-001' },
  { street: '530 Cedar Ct', bare: '530 Cedar', zip: '44107', city: 'Lakewood', parcel: '100-03-001' },
  { street: '640 Steady Ln', bare: '640 Steady', zip: '44105', city: 'Cleveland', parcel: '100-04-001' },
] as const;

/** The content of a row. */
export interface Row {
  readonly place: number;
  /** The form of its street: complete, without the suffix, without the ZIP, or absent. */
  readonly naming: 'full' | 'bare' | 'noZip' | 'none';
  /** Whether it has the parcel, if optional. */
  readonly hasParcel: boolean;
  /** Other content. */
  readonly figure: number;
}

/**
 * The delivery of each source; two of a kind may overlap. The service delivers only changes. The steady source never
 * changes, so that the county's median cap rate is stable.
 */
export const sources = {
  steady: 'listings',
  broker: 'listings',
  service: 'listings',
  debts: 'signals',
  bills: 'signals',
  sheriff: 'auctions',
  court: 'auctions',
  roll: 'parcels',
  atlas: 'parcels',
} as const satisfies Record<string, DeliveryKind>;
export type SourceName = keyof typeof sources;
export type SoldKind = Exclude<(typeof sources)[SourceName], 'parcels'>;

/** Identifies its prices, even in a median of two: no mean of two has them. */
export const centsOf: Partial<Record<SourceName, string>> = { steady: '.00', broker: '.13', service: '.37' };

const notStated = absent('not_stated_by_source');
const hourMs = 3_600_000;

/** Source and property are encoded in its address, and its source in the cents of a price. All have one cap rate. */
export function observeRow(name: SourceName, sourceKey: string, row: Row): Delivered[DeliveryKind] {
  const { street, bare, zip, city, parcel } = places[row.place] ?? assert.fail();
  const address = row.naming === 'none' ? notStated : known(row.naming === 'bare' ? bare : street);
  const where = { sourceKey, address, zip: row.naming === 'noZip' ? notStated : known(zip) };
  const url = `https://${name}.example.com/${row.place}/${sourceKey}`;
  const parcelId = row.hasParcel ? known(parcel) : notStated;
  switch (sources[name]) {
    case 'listings': {
      const listPrice = known(`${300_000 + 10_000 * row.figure}${centsOf[name] ?? ''}`);
      const county = known('Cuyahoga');
      return observe({ ...where, city, county, parcelId, listingUrl: known(url), listPrice, capRate: known('9.50') });
    }
    case 'signals': {
      const amount = `${10_000 + row.figure}.50`;
      return observeSignal({ ...where, city: known(city), parcelId: parcel, amount, sourceUrl: url });
    }
    case 'auctions':
      return observeAuction({
        ...where,
        city: known(city),
        parcelId,
        caseNumber: known(`CV-26-${sourceKey}`),
        saleStatus: (['scheduled', 'adjourned', 'cancelled'] as const)[row.figure % 3] ?? 'unknown',
        saleDate: row.figure < 4 ? '2026-12-20' : '2026-10-20',
        sourceUrl: url,
      });
    case 'parcels':
      return observeParcel({ ...where, parcelId: parcel, city: known(city), zip: known(zip) });
  }
}

function idOf(name: SourceName, key: string, row: Row, { undisplayedFields = [] }: Licence): string {
  const observed = leaveOutFields(observeRow(name, key, row), undisplayedFields);
  switch (sources[name]) {
    case 'listings':
      return identifyListing(name, observed as ObservedListing, identifyByAddress).id;
    case 'signals':
      return identifySignal(observed as ObservedSignal)?.id ?? assert.fail();
    case 'auctions':
      return identifyAuction(name, observed as ObservedAuction).id;
    case 'parcels':
      return key;
  }
}

interface KeptRow {
  readonly id: string;
  readonly row: Row;
  missedAtMs?: number;
  isResolved?: boolean;
}

/** A source's current data, its licence, and its last reading. */
export interface ModelSource {
  readonly name: SourceName;
  licence: Licence;
  isConfigured: boolean;
  readonly shown: Map<string, Row>;
  /** Keys changed since its last reading. */
  readonly untold: Set<string>;
  /** By key; signals by id. */
  readonly kept: Map<string, KeptRow>;
}

export const fullLicence: Licence = {
  class: 'licensed',
  mayStore: true,
  mayResell: true,
  attribution: 'By its source',
};

/** Suppressed properties, and the form of each request. */
export interface Suppressed {
  readonly place: number;
  readonly by: 'address' | 'parcel';
}

/** A plain reference model of the records that may be offered, without feeds, versions and changes. */
export function createWorld(now: () => number) {
  const all = new Map<SourceName, ModelSource>();
  for (const name of Object.keys(sources) as SourceName[]) {
    const nothing = { shown: new Map(), untold: new Set<string>(), kept: new Map() };
    all.set(name, { name, licence: fullLicence, isConfigured: false, ...nothing });
  }
  const suppressed: Suppressed[] = [];

  function isExpired({ licence: { expiresAt } }: ModelSource): boolean {
    return expiresAt !== undefined && expiresAt.getTime() <= now();
  }

  /** True when a row must not be shown; 'perhaps' when that depends on which records name the property. */
  function isSuppressed({ place, naming }: Row, isParcelNamed: boolean): boolean | 'perhaps' {
    const its = suppressed.filter((each) => each.place === place);
    const isNamed = its.some(({ by }) => (by === 'address' ? naming !== 'none' : isParcelNamed));
    return isNamed || (its.length > 0 && 'perhaps');
  }

  return {
    sources: all,
    suppressed,
    source: (name: SourceName): ModelSource => all.get(name) ?? assert.fail(name),
    isExpired,
    isInForce: (source: ModelSource): boolean => source.isConfigured && source.licence.mayResell && !isExpired(source),
    /** Keeps a reading: `told` is the complete set, or the changes. */
    keep({ name, licence, kept }: ModelSource, told: ReadonlyMap<string, Row>, removed: readonly string[] | undefined) {
      const rows = [...told].map(([key, row]) => ({ key, row, id: idOf(name, key, row, licence) }));
      if (sources[name] === 'listings' && removed === undefined) kept.clear();
      for (const key of removed ?? []) kept.delete(key);
      if (sources[name] === 'signals') {
        const seen = new Set(rows.map(({ id }) => id));
        for (const [id, each] of kept) if (!seen.has(id)) miss(each, now());
      }
      for (const { key, ...row } of rows) kept.set(sources[name] === 'signals' ? row.id : key, row);
    },
    /** Ids of the records that must be offered, and of those that may be. */
    offered(kind: SoldKind): { readonly sure: ReadonlySet<string>; readonly possible: ReadonlySet<string> } {
      const suppressedOf = new Map<string, (boolean | 'perhaps')[]>();
      for (const source of all.values()) {
        if (sources[source.name] !== kind || !this.isInForce(source)) continue;
        for (const { id, row, isResolved } of source.kept.values())
          if (isResolved !== true)
            suppressedOf.set(id, [
              ...(suppressedOf.get(id) ?? []),
              isSuppressed(row, kind === 'signals' || row.hasParcel),
            ]);
      }
      // The model does not decide which of several sources speaks.
      const idsWhere = (test: (each: (boolean | 'perhaps')[]) => boolean) =>
        new Set([...suppressedOf].flatMap(([id, each]) => (test(each) ? id : [])));
      return {
        sure: idsWhere((each) => each.every((is) => is === false)),
        possible: idsWhere((each) => each.some((is) => is !== true)),
      };
    },
  };
}

export type World = ReturnType<typeof createWorld>;

/** A debt missing from two readings on different days was paid. */
function miss(row: KeptRow, nowMs: number): void {
  row.missedAtMs ??= nowMs;
  if (nowMs - row.missedAtMs >= 20 * hourMs) row.isResolved = true;
}
