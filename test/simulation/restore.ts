import { insist, sign } from './buyer.js';
import { send } from './exchange.js';
import { exclusiveOperation } from './lead-counter.js';
import type { Losses } from './losses.js';
import { closeBefore } from './model-audit.js';
import type { KeptRow } from './model-relayer-store.js';
import { maxStaleMs } from './model-node.js';
import { identify, relayers, type Purchase } from './purchase.js';
import type { World } from './world.js';

/** What an earlier process has sent lands within a minute, or never. */
const [landsSoonMs, landsAgainMs, landsLateMs] = [12_000, 24_000, 40_000];

/**
 * At one moment of a history, all instances stop, and a backup of the database takes its place, or an empty one. Or the
 * database goes back under them, and may be away for a while: a replica was promoted, or an older copy restored.
 */
export function planRestore(world: World): void {
  const { scheduler, audits, chain, restores } = world;
  const random = world.random('restore');
  const atMs = random.between(10_000, random.pick([60_000, 170_000]));
  let restore = backUp(world);
  closeBefore(audits, chain.newestBlock() - 1n, new Date(scheduler.now()), relayers);
  const keepCopy = () => (restore = backUp(world));
  // Most sales are made early.
  if (restores === 'older ledger') scheduler.after(random.between(3_000, Math.min(atMs, 45_000)), keepCopy);
  if (restores === 'database goes back') {
    const lostMs = random.between(50, random.pick([2_000, 8_000, atMs]));
    scheduler.after(atMs - lostMs, keepCopy);
  }
  scheduler.after(atMs, () => {
    world.trace(() => `the database is gone: ${restores}`);
    const before = { rows: [...world.tables.payments.values()], kept: [...world.kept] };
    restore();
    const [kept, rows] = [new Set(world.kept), new Set(world.tables.payments.values())];
    const lost = before.kept.filter((each) => !kept.has(each));
    const payments = new Set(before.rows.filter((row) => !rows.has(row)).map(({ nonce }) => nonce));
    const losses = { atMs: scheduler.now(), payments, transactions: new Map(lost.map((each) => [each.hash, each])) };
    if (restores === 'database goes back') goBack(world, losses, lost);
    else stopAll(world, losses, lost);
    world.checker.onRestore(world.losses);
    replay(world);
  });
}

type Found = Pick<Losses, 'atMs' | 'payments' | 'transactions'>;

function stopAll(world: World, found: Found, lost: readonly KeptRow[]): void {
  const { scheduler, chain } = world;
  const random = world.random('restore');
  const shows = ({ hash }: KeptRow) => chain.pool.find(hash, scheduler.now() - maxStaleMs) !== undefined;
  const isBehind = lost.some((each) => isUnknown(world, each) && shows(each));
  const awayMs = isBehind ? random.between(200, 40_000) : random.between(landsSoonMs + maxStaleMs, 60_000);
  world.losses = {
    ...found,
    overAtMs: scheduler.now() + awayMs,
    isBehind,
    noticing: new Set(),
    noticedAtMs: new Map(),
  };
  chain.pool.land(isBehind ? landsLateMs : landsSoonMs, found.transactions);
  for (const instance of world.started) world.crash(instance);
}

/** An instance has to notice that a beat of its own is gone, or what it has kept. */
function goBack(world: World, found: Found, lost: readonly KeptRow[]): void {
  const { scheduler, chain, beats, heardBeats } = world;
  const random = world.random('restore');
  const lacksBeat = (owner: string) => (beats.get(owner)?.beat ?? 0) < (heardBeats.get(owner) ?? 0);
  const lacksKept = (owner: string) =>
    lost.some((each) => each.owner === owner && each.knownAtMs !== undefined && isUnknown(world, each));
  const noticing = world.instances.filter(({ owner }) => lacksBeat(owner) || lacksKept(owner));
  const awayMs = random.pick([0, random.between(200, 20_000)]);
  world.losses = {
    ...found,
    overAtMs: scheduler.now() + awayMs,
    isBehind: noticing.length > 0,
    noticing: new Set(noticing.map(({ owner }) => owner)),
    noticedAtMs: new Map(),
  };
  chain.pool.land(landsSoonMs, found.transactions);
  // Until they notice it they send it again.
  scheduler.after(landsAgainMs, () => chain.pool.land(landsSoonMs, found.transactions));
}

/** A nonce that is known was lost with another fee alone. */
function isUnknown({ leases }: World, { relayer, nonce }: KeptRow): boolean {
  return nonce >= (leases.get(relayer)?.nextNonce ?? 0);
}

/** Whoever reads the chain presents what was lost, more than once. */
function replay(world: World): void {
  const random = world.random('thieves');
  for (const nonce of world.losses.payments) {
    const purchase = world.purchases.get(nonce);
    if (purchase === undefined) continue;
    if (purchase.wanted.operationId === exclusiveOperation) wantAnother(world, purchase);
    for (let thief = 0; thief < 3; thief++)
      world.scheduler.after(random.between(1_000, 200_000), () => {
        const [first, ...others] = world.instances;
        if (first === undefined || world.chain.spendingOf({ payer: purchase.authorization.from, nonce }) === undefined)
          return;
        const { header } = identify(purchase, undefined);
        send(world, random.pick([first, ...others]), { purchase, header, wanted: purchase.wanted }, () => undefined);
      });
  }
}

/** A lead whose sale is lost must not be the next buyer's. */
function wantAnother(world: World, { authorization, wanted }: Purchase): void {
  world.scheduler.after(world.random('late buyers').between(70_000, 150_000), () => {
    const purchase = sign(world, Number(authorization.nonce) + 5_000, wanted, 2);
    world.chain.addBalance(purchase.authorization.from, purchase.authorization.value);
    insist(world, { purchase, header: purchase.header, wanted }, 4);
  });
}

/** Keeps a copy of what the database holds, except what is published and taken down again after a restore. */
function backUp({ tables, kept, leases, beats, audits }: World): () => void {
  const maps = [tables.payments, tables.bodies, leases, beats, audits.ranges, audits.orphans] as Map<
    unknown,
    unknown
  >[];
  const sets = [tables.holds, audits.settlers] as Set<unknown>[];
  const lists = [kept, audits.restores] as unknown[][];
  const restores = [
    ...maps.map((map) => {
      const entries = [...map];
      return () => {
        map.clear();
        for (const [key, value] of entries) map.set(key, value);
      };
    }),
    ...sets.map((set) => {
      const values = [...set];
      return () => {
        set.clear();
        for (const value of values) set.add(value);
      };
    }),
    ...lists.map((list) => {
      const items = [...list];
      return () => void list.splice(0, list.length, ...items);
    }),
  ];
  return () => restores.forEach((restore) => restore());
}
