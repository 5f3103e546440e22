import { createDealsClient } from '../../../src/client/create-deals-client.js';
import type { Account, DealsClient } from '../../../src/client/deals-client.js';
import { createMemoryStorage, type PaymentStorage } from '../../../src/client/payments/payment-storage.js';
import { PurchaseError } from '../../../src/client/payments/purchase-error.js';
import { createRandom, type Random } from '../../simulation/random.js';
import { createScheduler, type Scheduler } from '../../simulation/scheduler.js';
import { createModelNetwork } from './model-network.js';
import { createModelService, type Charge } from './model-service.js';
import { createInvariantChecker, type WantedOnce, type InvariantChecker } from './client-invariants.js';

/** A bug that the histories must find, as a replaced part of the client's world. */
export interface Damage {
  readonly name: string;
  /** The storage of one process life, over the lasting one. */
  readonly storage?: (lasting: PaymentStorage, scheduler: Scheduler) => PaymentStorage;
  readonly fetch?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
}

export interface ClientHistoryOptions {
  readonly seed: number;
  readonly damage?: Damage | undefined;
  /** Fault counts over all histories, to which this one adds. */
  readonly counts?: Map<string, number>;
}

export const perHourAtomic = 600_000n;
export const perDayAtomic = 1_500_000n;
export const maxPriceAtomic = 300_000n;

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const troubleMs = 1_200_000;
/** Long enough to renew every budget. */
const quietMs = 2 * 86_400_000;

interface Product {
  readonly path: string;
  readonly ask: (client: DealsClient) => Promise<{ readonly data: unknown }>;
}

/** The requests of a program, repeated until each succeeds. */
interface Wanted extends Product, WantedOnce {
  isDone: boolean;
}

const products: readonly [Product, ...Product[]] = [
  { path: '/api/deals?state=OH', ask: (client) => client.deals({ state: 'OH' }) },
  { path: '/api/deals/hot', ask: (client) => client.hotDeals() },
  { path: '/api/leads', ask: (client) => client.leads() },
];

/** One history of clients that buy over a bad network from a bad service, and die. Returns the broken guarantee. */
export async function runClientHistory({ seed, damage = { name: '' }, counts = new Map() }: ClientHistoryOptions) {
  const random = createRandom(seed, 'plan');
  const note = (fault: string) => void counts.set(fault, (counts.get(fault) ?? 0) + 1);
  const checker = createInvariantChecker({ perHourAtomic, perDayAtomic, maxPriceAtomic });
  const scheduler = createScheduler(startMs, () => undefined);
  const onCharge = (charge: Charge) => checker.onCharge(charge);
  const service = createModelService({ scheduler, random: createRandom(seed, 'service'), note, onCharge });
  const network = createModelNetwork({ scheduler, random: createRandom(seed, 'network'), note, service });
  const lasting = createMemoryStorage();
  const world: World = { scheduler, seed, checker, note, damage, lasting, fetch: network.fetch, isCalm: false };
  const processes = 1 + random.below(2);
  for (let number = 1; number <= processes; number++)
    startProcess(world, createRandom(seed, `process ${number}`), number);
  await scheduler.runUntil(startMs + troubleMs);
  world.isCalm = true;
  service.calmDown();
  network.calmDown();
  await scheduler.runUntil(startMs + troubleMs + quietMs);
  await askForTheRest(world);
  return checker.judge();
}

interface World {
  readonly scheduler: Scheduler;
  readonly seed: number;
  readonly checker: InvariantChecker;
  readonly note: (fault: string) => void;
  readonly damage: Damage;
  readonly lasting: PaymentStorage;
  readonly fetch: typeof globalThis.fetch;
  isCalm: boolean;
}

interface Life {
  isAlive: boolean;
}

/** A buyer's process: it makes its requests, and restarts after it dies. */
function startProcess(world: World, random: Random, number: number): void {
  const wanted = Array.from({ length: 1 + random.below(4) }, () => want(random));
  let lives = 0;
  const live = (): void => {
    const life = { isAlive: true };
    const client = createClientOf(world, random, life, `${number}.${++lives}`);
    for (const each of wanted)
      if (!each.isDone)
        world.scheduler.after(random.between(0, 60_000), () => void pursue(world, client, each, random, life));
    if (world.isCalm || !random.chance(0.7)) return;
    world.scheduler.after(random.between(10, 90_000), () => {
      if (world.isCalm) return;
      world.note('client dies');
      life.isAlive = false;
      world.scheduler.after(random.between(100, 400_000), live);
    });
  };
  live();
}

function want(random: Random): Wanted {
  const [first, ...others] = products;
  return { ...random.pick([first, first, ...others]), isDone: false };
}

/** Repeats the same request after every error until there is an answer. */
async function pursue(world: World, client: DealsClient, wanted: Wanted, random: Random, life: Life): Promise<void> {
  world.checker.onWanted(wanted);
  while (life.isAlive && !wanted.isDone) {
    const seen: unknown = await wanted.ask(client).catch((error: unknown) => error);
    if (!life.isAlive) return;
    if (!(seen instanceof Error)) {
      wanted.isDone = true;
      const [record] = (seen as { data: readonly { id: string; path: string }[] }).data;
      return world.checker.onDelivery(wanted.path, record);
    }
    if (!(seen instanceof PurchaseError)) throw seen;
    const isPoor = seen.reason === 'budget_exceeded';
    const pauseMs = isPoor ? random.between(600_000, 4_000_000) : random.between(100, 90_000);
    await new Promise<void>((resolve) => void world.scheduler.after(pauseMs, resolve));
  }
}

/** A client in one process life: its pending promises never settle after it dies. */
function createClientOf(world: World, random: Random, life: Life, name: string): DealsClient {
  const { scheduler, damage } = world;
  const bytes = createRandom(world.seed, `bytes of ${name}`);
  const lasting = damage.storage?.(world.lasting, scheduler) ?? world.lasting;
  const step = (latencyMs: number) =>
    new Promise<void>((resolve) => void scheduler.after(random.between(0, latencyMs), () => life.isAlive && resolve()));
  const account: Account = {
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    signTypedData: async () => {
      await step(random.chance(0.1) ? 20_000 : 5);
      return `0x${'5e'.repeat(65)}`;
    },
    signMessage: async () => {
      await step(5);
      return `0x${'51'.repeat(65)}`;
    },
  };
  return createDealsClient({
    baseUrl: 'https://deals.example',
    account,
    maxPricePerCall: '0.30',
    budget: { perHour: '0.60', perDay: '1.50' },
    storage: {
      async update(change) {
        await step(3);
        await lasting.update(change);
        await step(3);
      },
    },
    fetch: async (...given) => {
      const response = await (damage.fetch?.(world.fetch) ?? world.fetch)(...given);
      await step(0);
      return response;
    },
    sleep: (ms) => new Promise((resolve) => void scheduler.after(ms, () => life.isAlive && resolve())),
    now: () => new Date(scheduler.now()),
    random: () => random.fraction(),
    randomBytes: (length) => Uint8Array.from({ length }, () => bytes.below(256)),
  });
}

/** Repeats every open request: each charged reply must be returned, without another charge. */
async function askForTheRest(world: World): Promise<void> {
  const random = createRandom(world.seed, 'the rest');
  const life = { isAlive: true };
  const client = createClientOf(world, random, life, 'the rest');
  async function askForOne(): Promise<boolean> {
    const [first] = (await client.spending()).open;
    const found = products.find(({ path }) => first?.url.endsWith(path));
    if (found !== undefined) await pursue(world, client, { ...found, isDone: false }, random, life);
    return found !== undefined;
  }
  for (let isThereMore = true; isThereMore;) {
    let answer: boolean | undefined;
    void askForOne().then((each) => (answer = each));
    while (answer === undefined) await world.scheduler.runUntil(world.scheduler.now() + 60_000);
    isThereMore = answer;
  }
}
