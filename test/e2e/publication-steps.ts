import assert from 'node:assert/strict';
import fc from 'fast-check';
import { undisplayedFields } from '../../src/sources/display-fields.js';
import { saveLicence } from '../../src/sources/save-licence.js';
import type { DeliveryKind, Licence } from '../../src/sources/source.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import type { TestApp } from '../support/app.js';
import { cutOffLeads } from '../support/cut-off-leads.js';
import { readSource } from '../support/read-source.js';
import {
  fullLicence,
  observeRow,
  places,
  sources,
  type Row,
  type SourceName,
  type World,
} from './publication-world.js';

/** An event of the service; each is a minute after the one before. */
export type Step =
  | {
      readonly do: 'read';
      readonly name: SourceName;
      readonly changes: readonly (readonly [string, Row | undefined])[];
    }
  | { readonly do: 'suppress'; readonly place: number; readonly by: 'address' | 'parcel' }
  | { readonly do: 'license'; readonly name: SourceName; readonly how: Change }
  | { readonly do: 'wait'; readonly minutes: number }
  | { readonly do: 'publish'; readonly extent: 'changed' | 'day' }
  /** As after a crash between two feeds. */
  | { readonly do: 'cut off'; readonly extent: 'changed' | 'day' }
  | { readonly do: 'publish takedowns' }
  | { readonly do: 'compare' };

/** A licence changes, ends after some minutes, or shows fewer fields; or its source leaves the configuration. */
type Change = 'full' | 'ended' | 'unconfigured' | { readonly minutes: number } | { readonly undisplayed: number };

const names = (Object.keys(sources) as SourceName[]).filter((name) => name !== 'steady');
const place = fc.constantFrom(...[0, 0, 0, 1, 1, 2, 3]);
const row: fc.Arbitrary<Row> = fc.record({
  place,
  naming: fc.constantFrom<Row['naming'][]>('full', 'full', 'full', 'bare', 'bare', 'noZip', 'none', 'none'),
  hasParcel: fc.boolean(),
  figure: fc.nat({ max: 4 }),
});
const changes = fc.array(fc.tuple(fc.constantFrom('k0', 'k1', 'k2'), fc.option(row, { nil: undefined, freq: 4 })), {
  maxLength: 3,
});
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom<Change[]>('full', 'ended', 'unconfigured'),
  fc.record({ minutes: fc.nat({ max: 300 }) }),
  fc.record({ undisplayed: fc.nat({ max: 127 }) }),
);
const extent = fc.constantFrom<('changed' | 'day')[]>('changed', 'changed', 'day');
const is = <Name extends string>(name: Name) => fc.constant(name);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: is('read'), name: fc.constantFrom(...names), changes }) },
  { weight: 1, arbitrary: fc.record({ do: is('suppress'), place, by: fc.constantFrom('address', 'parcel') }) },
  { weight: 3, arbitrary: fc.record({ do: is('license'), name: fc.constantFrom(...names), how: change }) },
  { weight: 3, arbitrary: fc.record({ do: is('wait'), minutes: fc.constantFrom(5, 40, 180, 600, 1440) }) },
  { weight: 5, arbitrary: fc.record({ do: is('publish'), extent }) },
  { weight: 1, arbitrary: fc.record({ do: is('cut off'), extent }) },
  { weight: 1, arbitrary: fc.record({ do: is('publish takedowns') }) },
  { weight: 3, arbitrary: fc.record({ do: is('compare') }) },
);

export const anySteps = fc.array(step, { minLength: 4, maxLength: 40, size: 'max' });

/** The tested service, with the model of its expected records. */
export interface Stage {
  readonly app: TestApp;
  readonly world: World;
}

/** Changes a source's data, and has it read. */
export async function read({ app, world }: Stage, { name, changes }: Extract<Step, { do: 'read' }>): Promise<void> {
  const source = world.source(name);
  for (const [key, row] of changes) {
    source.untold.add(key);
    if (row === undefined) source.shown.delete(key);
    else source.shown.set(key, row);
  }
  const tellsChanges = name === 'service';
  const isAll = !tellsChanges || source.kept.size === 0;
  const told = new Map([...source.shown].filter(([key]) => isAll || source.untold.has(key)));
  const removedKeys = isAll ? undefined : [...source.untold].filter((key) => !source.shown.has(key));
  const delivery = createScriptedDelivery<DeliveryKind>(sources[name], { name, licence: source.licence, now: app.now });
  delivery.deliver({
    pages: [[...told].map(([key, row]) => observeRow(name, key, row))],
    ...(removedKeys && { removedKeys }),
    ...(tellsChanges && { watermark: 'since then' }),
  });
  source.isConfigured = true;
  await readSource(app, Object.assign(delivery, { tellsChanges }), undefined, isAll);
  if (world.isExpired(source)) return;
  source.untold.clear();
  world.keep(source, told, removedKeys);
}

export async function suppress({ app, world }: Stage, { place, by }: Extract<Step, { do: 'suppress' }>): Promise<void> {
  const { street, city, zip, parcel } = places[place] ?? assert.fail();
  world.suppressed.push({ place, by });
  const what =
    by === 'address' ? { address: `${street}, ${city}, OH ${zip}` } : { countyFips: '39035', parcelId: parcel };
  await app.pipeline.suppress({ ...what, reason: 'asked by its owner' });
}

export async function license({ app, world }: Stage, { name, how }: Extract<Step, { do: 'license' }>): Promise<void> {
  const source = world.source(name);
  if (!source.isConfigured) return;
  if (how === 'unconfigured') {
    source.isConfigured = false;
    await app.database.knex('sources').where({ name }).update({ removed_at: app.now(), changed_at: app.now() });
  } else {
    source.licence = { ...fullLicence, ...changeOf(how, name, app.now()) };
    const { licence } = source;
    await saveLicence(app.database.knex, createScriptedDelivery(sources[name], { name, licence }), {
      instance: 'here',
      now: app.now(),
    });
  }
  await app.pipeline.refresh();
}

function changeOf(how: Exclude<Change, 'unconfigured'>, name: SourceName, now: Date): Partial<Licence> {
  if (how === 'full') return {};
  if (how === 'ended') return { mayResell: false };
  if ('minutes' in how) return { expiresAt: new Date(now.getTime() + how.minutes * 60_000) };
  const fields = undisplayedFields(sources[name], []).filter((field) => decisive.has(field));
  return { undisplayedFields: fields.filter((_, bit) => (how.undisplayed >> bit) % 2 === 1) };
}

/** Fields that place, identify, price or score a record. */
const decisive = new Set([
  'address',
  'zip',
  'parcelId',
  'listingUrl',
  'listPrice',
  'capRate',
  'openingBid',
  'yearsOwed',
]);

export async function cutOff({ app }: Stage, { extent }: Extract<Step, { do: 'cut off' }>): Promise<void> {
  const letThrough = await cutOffLeads(app.database.knex);
  await assert.rejects(app.pipeline.publish(extent), /cut off/);
  await letThrough();
}
