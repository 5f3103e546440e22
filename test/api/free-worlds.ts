import assert from 'node:assert/strict';
import type { DealIds } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import { countedOperations } from '../../src/api/count/counters.js';
import type { DeliveryKind, Licence } from '../../src/sources/source.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { observe } from '../listings/observation.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { licence as plainLicence } from '../sources/ingest/scripted-source.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { readSource } from '../support/read-source.js';

/** Each is for sale, in debt, in a sheriff's sale and a lead. The suppressed one is in the middle of every list. */
const others = Array.from({ length: 14 }, (_, index) => 100 + 2 * index);
const secret = 113;
export const line = `${secret} Example Ave, Cleveland, OH 44120`;
export const licenceMs = 10 * 60_000;
const dayMs = 86_400_000;

/** Filters, also such that match the suppressed property alone. */
const filters = ['', 'state=OH', 'zip=44120', 'zip=44105', 'zip=44105,44120', 'near=44120', 'county=Cuyahoga'];
const own: Readonly<Record<string, readonly string[]>> = {
  deals: ['max_price=150000', 'min_price=300000&max_price=325000', 'min_dscr=1', 'first_seen_since=2026-01-01'],
  signals: ['min_amount=5000', 'has_address=true', 'min_amount=60000'],
  auctions: ['max_opening_bid=100000', 'min_appraised=90000', 'include_past=true'],
  leads: ['min_score=40', 'lead_type=sheriff_sale_auction', 'lead_type=tax_delinquent_owner'],
};
const filtersOf = (of: string): readonly string[] => {
  if (of === 'events') return ['', 'state=OH', 'zip=44120', 'feed=auctions', 'event=listed'];
  const feed = of.includes('deals') ? 'deals' : of === 'exclusive_lead' ? 'leads' : of;
  return [...filters, ...(own[feed] ?? [])];
};

export interface World {
  readonly app: TestApp;
  pass(ms: number): void;
  /** Reads and publishes once more, as the jobs do. */
  publish(): Promise<void>;
}

/** A service at a clock that stands; its two sources of each kind have published with or without the suppressed one. */
async function openWorld(at: Date, hasHidden: boolean): Promise<World> {
  let aheadMs = 0;
  const now = (): Date => new Date(at.getTime() + aheadMs);
  const app = await startTestApp({ withData: false, settler: createInstantSettler(), now });
  const ending: Licence = { ...plainLicence, expiresAt: new Date(at.getTime() + licenceMs) };
  const ofPartner = [...others.slice(0, 2), ...(hasHidden ? [secret] : [])];

  async function read<K extends DeliveryKind>(
    delivers: K,
    observeOne: (number: number) => never,
    [main, partner]: readonly (readonly number[])[],
  ): Promise<void> {
    for (const [name, licence, numbers = []] of [
      [`main-${delivers}`, plainLicence, main],
      [`partner-${delivers}`, ending, partner],
    ] as const) {
      const source = createScriptedDelivery(delivers, { name, licence, now });
      source.deliver({ pages: [numbers.map(observeOne)] });
      await readSource(app, source);
    }
  }

  const placeOf = (number: number) => ({
    sourceKey: `k${number}`,
    address: known(`${number} Example Ave`),
    zip: known(number === secret ? '44120' : '44105'),
  });
  const listing = (number: number) =>
    observe({ ...placeOf(number), listPrice: known(`${number * 2_800}`), capRate: known('9.1') });
  const signal = (number: number) =>
    observeSignal({ ...placeOf(number), parcelId: `100-20-${number}`, amount: `${number * 500}` });
  const sale = (number: number) => {
    const saleDate = new Date(at.getTime() + (number - 90) * dayMs).toISOString().slice(0, 10);
    const [parcelId, caseNumber] = [known(`100-20-${number}`), known(`CV-${number}`)];
    return observeAuction({ ...placeOf(number), parcelId, caseNumber, saleDate });
  };
  // What was published first gives no events.
  for (const numbers of [
    [others.slice(2, 3), others.slice(0, 1)],
    [others.slice(2), ofPartner],
  ]) {
    await read('listings', listing as never, numbers);
    await read('signals', signal as never, numbers);
    await read('auctions', sale as never, numbers);
    await app.pipeline.publish('all');
  }
  return { app, pass: (ms) => void (aheadMs += ms), publish: async () => void (await app.pipeline.publishIfBehind()) };
}

/**
 * A free reply, without what differs from one request, server or publication to the next: its identity, the port, the
 * signature of the address with it, and the numbers and moments of publications. All other bytes count.
 */
function comparable(text: string, { url }: TestApp): string {
  return (
    text
      .replaceAll(url, 'http://server')
      .replaceAll(
        /"(request_id|instance|signature|as_of|generated_at|feed_version|validUntil)":("[^"]*"|\d+)/g,
        '"$1":0',
      )
      // How many rows a source has delivered is told of the source, shown or not.
      .replaceAll(/(<td>licensed.*\n<td class="number">)\d+/g, '$1')
      .replaceAll(/"feed_versions":\{[^}]*\}/g, '"feed_versions":{}')
  );
}

/** All that is told free of records, by path. */
export async function readFree(
  { app }: World,
  ids: readonly string[],
  ofs: readonly string[],
): Promise<Map<string, string>> {
  const { operations } = app.contract;
  const paths = ofs.flatMap((of) => {
    const id = countedOperations[of as keyof typeof countedOperations];
    const path = operations.find(({ operationId }) => operationId === id)?.path ?? assert.fail(of);
    return filtersOf(of).flatMap((filter) => [`/api/count?of=${of}&${filter}`, `${path}?${filter}`]);
  });
  const whole = ['/api/coverage', '/api/deals/ids', '/api/meta', '/api/meta?view=short', '/', '/api/deals/x/report'];
  const reports = ids.flatMap((id) => [`/api/deals/${id}/report`, `/api/deals/${id}/report/preview`]);
  const lookup = `/api/lookup?address=${encodeURIComponent(line)}`;
  const told = new Map<string, string>();
  for (const path of [...paths, ...(ofs.includes('deals') ? [...whole, ...reports, lookup] : [])]) {
    const reply = await fetch(app.url + path.replace(/[?&]$/, ''));
    assert.ok(reply.status < 500, path);
    told.set(path, comparable(`${reply.status} ${await reply.text()}`, app));
  }
  return told;
}

/** Where two texts part, with what stands around it; undefined for equal ones. */
function firstDifference(one: string, other: string): readonly string[] | undefined {
  if (one === other) return undefined;
  const place = [...one].findIndex((letter, index) => letter !== other[index]);
  const from = Math.max(0, (place < 0 ? one.length : place) - 100);
  return [one, other].map((text) => text.slice(from, from + 300));
}

export const everything = Object.keys(countedOperations);

/** Two services at one moment: one with the suppressed record, and one to which it never came. */
export interface Worlds {
  readonly at: Date;
  readonly world: World;
  readonly absent: World;
  /** Of the deals of the first. */
  readonly ids: readonly string[];
}

export async function openWorlds(): Promise<Worlds> {
  const at = new Date();
  const absent = await openWorld(at, false);
  const world = await openWorld(at, true);
  const { ids: all } = (await (await fetch(`${world.app.url}/api/deals/ids`)).json()) as DealIds;
  const ids = all.map(({ id }) => id);
  assert.equal(ids.length, others.length + 1);
  return { at, world, absent, ids };
}

export async function closeWorlds({ world, absent }: Worlds): Promise<void> {
  for (const { app } of [world, absent]) await app.stop();
}

export async function assertNothingTells({ world, absent, ids }: Worlds, ofs = everything): Promise<void> {
  const [told, right] = [await readFree(world, ids, ofs), await readFree(absent, ids, ofs)];
  assert.deepEqual([...told.keys()], [...right.keys()]);
  for (const [path, text] of right) assert.equal(firstDifference(told.get(path) ?? '', text), undefined, path);
}
