import { askForPrices, startBuyer } from './buyer.js';
import { comeBack } from './come-back.js';
import { noLosses } from './losses.js';
import { createFaults, restoreKinds, type FaultCounts, type FaultKind, type Faults } from './faults.js';
import { checkAudit, checkBooks, checkQuiet } from './final-checks.js';
import { createInstance, type Instance } from './instance.js';
import { ModelChain } from './model-chain.js';
import { createModelFacilitator, passageOf, type ModelFacilitator } from './model-facilitator.js';
import { createAuditTables } from './model-audit.js';
import { createLedgerTables } from './model-ledger.js';
import { meddle } from './nature.js';
import { terms } from './purchase.js';
import { planRestore } from './restore.js';
import { createRandom, type Random } from './random.js';
import { createScheduler } from './scheduler.js';
import { comeTogether } from './together.js';
import { undamaged, type Variant } from './variant.js';
import { createInvariantChecker, Violation } from './invariant-checker.js';
import { startMs, type World } from './world.js';

export interface HistoryOptions {
  readonly seed: number;
  readonly variant?: Variant;
  /** Counts of all histories so far, to which this one adds. */
  readonly counts?: FaultCounts;
  /** Kinds of faults to omit. */
  readonly without?: ReadonlySet<FaultKind>;
  /** The time between two blocks; by default drawn. */
  readonly blockMs?: number;
  /** The maximum number of buyers. */
  readonly buyers?: number;
  /** What is not drawn of the world, and who comes in place of the buyers. */
  readonly scene?: { readonly world: Partial<World>; come(world: World): void };
  /** Receives the story, line by line. */
  readonly tell?: (line: string) => void;
  /** Looks at the world once all is over and no guarantee was broken. */
  readonly onEnd?: (world: World) => void;
}

/** Faults occur within this time; afterwards everything must finish. */
const troubleMs = 180_000;
/** Longer than any short window, any stuck transaction, and finality after them. */
const quietMs = 900_000;
/** The interval of an instance's reconciliation; short in some histories, so that it meets payments at every step. */
const reconcileMs = [8_000, 60_000, 60_000] as const;
/** Afterwards it only has to finish the rest, at least twice after the last of it is final. */
const calmReconcileMs = 240_000;

/** Runs one history of the real payment code; returns the broken guarantee, if any. */
export async function runHistory(options: HistoryOptions): Promise<Violation | undefined> {
  const world = createWorld(options);
  const stackTraceLimit = Error.stackTraceLimit;
  // Many requests end with errors here, whose stack traces only a story needs.
  if (options.tell === undefined) Error.stackTraceLimit = 0;
  const random = world.random('plan');
  world.tables.feeds.set('deals', 1);
  const slots = world.isEmbedded ? 1 : 1 + random.below(3);
  try {
    if (world.restores !== undefined) planRestore(world);
    for (let slot = 1; slot <= slots; slot++) open(world, slot, 1);
    const buyers = Math.min(1 + random.below(4), options.buyers ?? Infinity);
    if (options.scene !== undefined) options.scene.come(world);
    else if (!comeTogether(world)) for (let number = 1; number <= buyers; number++) startBuyer(world, number);
    askForPrices(world);
    await world.scheduler.runUntil(startMs + troubleMs);
    world.faults.stop();
    world.chain.pool.calm();
    world.trace(() => 'from now on nothing goes wrong any more');
    for (const instance of world.instances) Object.assign(instance, { skewMs: 0, clockSetAtMs: world.scheduler.now() });
    await world.scheduler.runUntil(startMs + troubleMs + quietMs);
    checkQuiet(world);
    checkBooks(world, 'before');
    await comeBack(world);
    await world.scheduler.runUntil(world.scheduler.now() + 110_000);
    checkQuiet(world);
    checkBooks(world, 'after');
    if (world.restores !== undefined) await checkAudit(world);
    options.onEnd?.(world);
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  } finally {
    for (const instance of world.started) instance.end();
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function createWorld(options: HistoryOptions) {
  const { seed, variant = undamaged, counts = new Map(), without = new Set(), tell } = options;
  const streams = new Map<string, Random>();
  const random = (subject: string) => {
    const stream = streams.get(subject) ?? createRandom(seed, subject);
    streams.set(subject, stream);
    return stream;
  };
  const checker = createInvariantChecker(() => world);
  const scheduler = createScheduler(startMs, () => {
    if (checker.violation !== undefined) throw checker.violation;
  });
  const faults = createFaults(random, counts, without);
  let facilitator: ModelFacilitator | undefined;
  const node = random('node');
  const pace = {
    blockMs: options.blockMs ?? node.pick([200, 2_000]),
    finalityMs: node.pick([60_000, 300_000, 1_200_000]),
  };
  const databaseAheadMs = random('database clock').pick([0, -25_000, 25_000]);
  const chain = new ModelChain(scheduler, random('chain'), startMs, terms.payTo, pace, (each) =>
    checker.onSubmission(each),
  );
  const settlesBy = random('settling').chance(0.5) ? 'facilitator' : 'itself';
  const restores = drawRestore(settlesBy, faults);
  const world: World = {
    settlesBy,
    get facilitator() {
      return (facilitator ??= createModelFacilitator(world));
    },
    longestWindow: random('longest window').chance(0.25) ? 3_660 : 350,
    confirmations: random('confirmations').pick([1, 1, 2, 3]),
    hasSync: node.chance(0.5),
    badEvery: node.pick([undefined, 5, 20, 100, 500]),
    // With fewer, an hour of blocks may cost more calls than a buyer's question may.
    blocksPerCall: node.pick(pace.blockMs === 200 ? [1_000, 2_000, 10_000] : [200, 1_000, 2_000, 10_000]),
    boundsAnswers: random('bound of answers').chance(0.5),
    knownPayers: new Set(),
    leases: new Map(),
    beats: new Map(),
    heardBeats: new Map(),
    audits: createAuditTables(),
    restores,
    kept: [],
    scheduler,
    databaseNow: () => new Date(scheduler.now() + databaseAheadMs),
    chain,
    tables: createLedgerTables((before, after) => checker.onRow(before, after)),
    losses: noLosses,
    faults,
    checker,
    variant,
    random,
    purchases: new Map(),
    instances: [],
    started: [],
    isEmbedded: random('plan').chance(0.2) && restores !== 'database goes back',
    trace: (line) => tell?.(`${((scheduler.now() - startMs) / 1000).toFixed(3).padStart(8)} ${line()}`),
    meddle: (nonce) => meddle(world, nonce),
    crash: (instance) => crash(world, instance),
    ...options.scene?.world,
  };
  chain.pool.faults = {
    passage: () => passageOf(world),
    burns: ({ authorizations: [{ from } = { from: terms.payTo }, ...others] }) =>
      others.length > 0
        ? [from, ...others].some(() => faults.happens('transfer failed among others'))
        : chain.withCode.has(from) && faults.happens('transfer of a payer with code failed'),
  };
  return world;
}

/** A facilitator uses no nonces by which the ledger could be found to be behind. */
function drawRestore(settlesBy: World['settlesBy'], { happens }: Faults): World['restores'] {
  if (settlesBy === 'facilitator') return undefined;
  return restoreKinds.find((kind) => happens(kind));
}

/** Starts an instance and its reconciliation job; it serves once it is open. */
function open(world: World, slot: number, life: number): void {
  const { scheduler, losses } = world;
  if (scheduler.now() < losses.overAtMs)
    return void scheduler.after(losses.overAtMs - scheduler.now(), () => open(world, slot, life));
  const instance = createInstance(world, `${'ABC'[slot - 1] ?? slot}${life}`, slot);
  world.started.push(instance);
  const random = world.random('instances');
  const everyMs = random.pick(reconcileMs);
  const serve = () => {
    if (!instance.alive) return;
    world.trace(() => `${instance.name} serves`);
    world.instances.push(instance);
    scheduler.after(random.between(0, everyMs), reconcile);
  };
  const reconcile = () => {
    if (!instance.alive) return;
    void instance.reconcile();
    void instance.rebuild().catch(() => undefined);
    scheduler.after(world.faults.stopped ? calmReconcileMs : everyMs, reconcile);
  };
  // An instance that fails to start is restarted.
  const start = (): void => void instance.start().then(serve, () => scheduler.after(1_000, start));
  start();
}

function crash(world: World, instance: Instance): void {
  if (!instance.alive) return;
  instance.alive = false;
  const place = world.instances.indexOf(instance);
  if (place >= 0) world.instances.splice(place, 1);
  for (const each of world.checker.exchanges) if (each.instance === instance) each.breakOff();
  const [slot, life] = ['ABC'.indexOf(instance.name.charAt(0)) + 1, Number(instance.name.slice(1)) + 1];
  world.scheduler.after(world.random('instances').between(200, 40_000), () => open(world, slot, life));
}
