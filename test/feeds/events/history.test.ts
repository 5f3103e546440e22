import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { pino } from 'pino';
import type { Database } from '../../../src/db/database.js';
import { dealEvents } from '../../../src/feeds/events/deal-events.js';
import { comparePlaces, type EventPlace, type RecordEvent } from '../../../src/feeds/events/event.js';
import { createEventLog, type EventLog } from '../../../src/feeds/events/event-log.js';
import { createEventStore } from '../../../src/feeds/events/event-store.js';
import { publishAll, publishChanges } from '../../../src/feeds/publish.js';
import { dealKind, type DealColumns, type DealFilter } from '../../../src/feeds/query/deal-kind.js';
import { createFeedStore } from '../../../src/feeds/store/feed-store.js';
import { createDraw, type Draw } from '../../../src/demo/data/seeded-draw.js';
import { openTestDatabase } from '../../support/database.js';
import { deep } from '../../support/depth.js';
import { makeDeal } from '../deals.js';
import { inForce, scriptTakedowns } from '../scripted-takedowns.js';

const publications = deep(1_000, 80);
const idOf = (number: number): string => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;
const states = ['OH', 'IN'];

/** Throws at its n-th call of any method that reaches the database; the process is gone then. */
function killAt<Store extends object>(store: Store, count: { left: number }): Store {
  return new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== 'function' || name === 'readColumns') return method;
      return (...parts: unknown[]) => {
        if (count.left-- <= 0) throw new Error('killed');
        return (method as (...parts: unknown[]) => unknown).apply(target, parts);
      };
    },
  });
}

/** What a buyer has bought. */
interface Buyer {
  cursor: EventPlace;
  readonly filter: DealFilter;
  readonly bought: string[];
}

describe('the history that buyers of events put together', () => {
  let database: Database;
  before(async () => (database = await openTestDatabase()));
  after(() => database.close());

  it(`is the true one, each event once, over ${publications} publications that are killed at every step`, async () => {
    const draw = createDraw(33, publications);
    const market = new Map<string, DealColumns>();
    let published = new Map<string, DealColumns>();
    const gone = new Set<string>();
    const truth: { readonly text: string; readonly state: string }[] = [];
    const { takedowns, license } = scriptTakedowns();
    await license(inForce('broker'));
    let log = openLog();
    const buyers = [{}, { state: ['OH'] }, { maxPriceCents: 20_000_000 }].map((filter): Buyer => ({
      ...{ filter, cursor: { version: 1, ordinal: 0 }, bought: [] },
    }));
    let at = Date.parse('2026-11-01T05:00:00.000Z');
    const [reached, rendering] = [new Set<number>(), { salt: 0 }];

    function openLog(): EventLog<DealFilter> {
      const store = createEventStore(database.knex, 'deals', dealKind.readColumns);
      const { testsOf } = dealKind;
      return createEventLog({ rules: dealEvents, store, testsOf, takedowns, findShown: () => new Set() });
    }

    /** One process publishes, and may be killed at a call of its store. */
    async function publish(isWhole: boolean, kill: number): Promise<boolean> {
      const left = { left: kill };
      const store = killAt(createFeedStore(database.knex, dealKind), left);
      const events = killAt(createEventStore(database.knex, 'deals', dealKind.readColumns), left);
      const ports = {
        store,
        ...{ chunkSize: 3, now: () => new Date(at), log: pino({ level: 'silent' }) },
        events: { rules: dealEvents, store: events, compose: writeDown },
        render: (deal: DealColumns) => ({
          ...{ id: deal.id, columns: JSON.stringify(deal), placeKeys: [], bodies: { full: { text: '{}' } } },
          hash: hash('sha256', JSON.stringify(deal) + rendering.salt, 'base64'),
        }),
      };
      const changed = [...new Set([...market.keys(), ...published.keys()])];
      try {
        if (isWhole) await publishAll(each([...market.values()]), ports);
        else await publishChanges(each(changed.map((id) => ({ id, item: market.get(id) }))), ports);
        return true;
      } catch (error) {
        if ((error as Error).message !== 'killed') throw error;
        reached.add(kill);
        // Killed after the version had moved, it is published all the same.
        return false;
      }
    }

    async function look(): Promise<void> {
      const { version } = await createFeedStore(database.knex, dealKind).currentVersion();
      await log.load(version);
    }

    /** Compares what is published now with what was before, as a plain reading of the feed would. */
    async function noteTruth(): Promise<void> {
      const store = createFeedStore(database.knex, dealKind);
      const { version } = await store.currentVersion();
      const now = new Map<string, DealColumns>();
      for await (const chunk of store.readChanges(0, version))
        for (const record of chunk) if (!record.retired) now.set(record.id, record.columns);
      if (published.size > 0) truth.push(...differencesOf(published, now, gone));
      for (const id of published.keys()) if (!now.has(id)) gone.add(id);
      for (const id of now.keys()) gone.delete(id);
      published = now;
    }

    async function buy(buyer: Buyer, pages: number, isSaved: boolean): Promise<void> {
      const upTo = log.head();
      let { cursor } = buyer;
      const texts: string[] = [];
      for (let page = 0; page < pages && comparePlaces(cursor, upTo) < 0; page++) {
        const found = log.find({ after: cursor, upTo, filter: buyer.filter });
        const limit = draw.whole(1, 4);
        const shown = Array.from({ length: Math.min(limit, found.length) }, (_, index) => found.at(index));
        for (const { body } of await log.readBodies(shown)) texts.push((JSON.parse(body) as { text: string }).text);
        cursor = shown.length < found.length ? (shown.at(-1) ?? upTo) : upTo;
      }
      // It died with what it had not saved.
      if (!isSaved) return;
      Object.assign(buyer, { cursor });
      buyer.bought.push(...texts);
    }

    for (let step = 0; step < publications; step++) {
      at += draw.fraction() < 0.1 ? -60_000 : 3_600_000;
      if (draw.fraction() < 0.8) change(market, draw);
      if (draw.fraction() < 0.2) rendering.salt += 1;
      const kill = draw.fraction() < 0.5 ? draw.whole(0, 25) : Infinity;
      await publish(draw.fraction() < 0.5, kill);
      await noteTruth();
      if (draw.fraction() < 0.2) log = openLog();
      await look();
      for (const buyer of buyers) if (draw.fraction() < 0.5) await buy(buyer, draw.whole(1, 3), draw.fraction() < 0.8);
    }
    for (const buyer of buyers) {
      await buy(buyer, Infinity, true);
      const expected = truth.filter(
        (event) => buyer.filter.maxPriceCents !== undefined || isAsked(event, buyer.filter),
      );
      if (buyer.filter.maxPriceCents === undefined)
        assert.deepEqual(buyer.bought.toSorted(), expected.map(({ text }) => text).toSorted());
      else
        for (const text of buyer.bought)
          assert.ok(
            expected.some((event) => event.text === text),
            text,
          );
    }
    assert.ok(truth.length > publications, `${truth.length} events`);
    assert.ok(reached.size > deep(15, 8), `killed at ${[...reached].join()}`);
    const { rows } = await database.knex.raw<{ rows: { count: number }[] }>(
      `select cast(count(*) as integer) as count from feed_events`,
    );
    assert.equal(rows[0]?.count, truth.length);
  });
});

function isAsked({ state }: { readonly state: string }, filter: DealFilter): boolean {
  return filter.state === undefined || filter.state.includes(state);
}

/** An event in a text of its own. */
function writeDown({ event, before, after }: RecordEvent, { id }: { readonly id: string }): string {
  return JSON.stringify({ text: [id, event, JSON.stringify(before ?? null), JSON.stringify(after ?? null)].join(' ') });
}

function differencesOf(
  before: ReadonlyMap<string, DealColumns>,
  after: ReadonlyMap<string, DealColumns>,
  gone: ReadonlySet<string>,
) {
  const usd = (cents: number | undefined) => (cents === undefined ? {} : { list_price: (cents / 100).toFixed(2) });
  const tell = (deal: DealColumns, event: string, one: object | null, other: object | null) => ({
    text: [deal.id, event, JSON.stringify(one), JSON.stringify(other)].join(' '),
    state: deal.state,
  });
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [old, present] = [before.get(id), after.get(id)];
    if (old === undefined) return present ? [tell(present, gone.has(id) ? 'relisted' : 'listed', null, null)] : [];
    if (present === undefined) return [tell(old, 'removed', usd(old.priceCents), null)];
    const status = (deal: DealColumns) => ({ rental_status: deal.rentalStatus });
    return [
      ...(old.toldCents === present.toldCents
        ? []
        : [tell(present, 'repriced', usd(old.toldCents), usd(present.toldCents))]),
      ...(old.rentalStatus === present.rentalStatus
        ? []
        : [tell(present, 'status_changed', status(old), status(present))]),
    ];
  });
}

/** Some properties come, go, or change: in a price, a status, or what is no event. */
function change(market: Map<string, DealColumns>, draw: Draw): void {
  for (let count = draw.whole(1, 4); count > 0; count--) {
    const id = idOf(draw.whole(1, 12));
    const deal = market.get(id);
    const kind = draw.fraction();
    if (deal === undefined || kind < 0.15) {
      const cents = draw.whole(100, 400) * 100_000;
      const state = states[Number(id.slice(7, 8)) % 2] ?? 'OH';
      market.set(id, makeDeal({ id, state, priceCents: cents, toldCents: cents, sources: 'broker' }));
    } else if (kind < 0.35) market.delete(id);
    else if (kind < 0.6) {
      const cents = draw.fraction() < 0.1 ? undefined : draw.whole(100, 400) * 100_000;
      market.set(id, { ...deal, priceCents: cents, toldCents: cents });
    } else if (kind < 0.8) market.set(id, { ...deal, rentalStatus: draw.pick(['Hot', 'Warm', 'Pass'] as const) });
    else market.set(id, { ...deal, dealScore: draw.whole(0, 100), daysOnFeed: draw.whole(0, 90) });
  }
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += 4) yield await Promise.resolve(items.slice(start, start + 4));
}
