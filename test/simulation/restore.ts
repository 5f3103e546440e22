import { insist, sign } from './buyer.js';
import { send } from './exchange.js';
import { exclusiveOperation } from './lead-counter.js';
import { closeBefore } from './model-audit.js';
import type { KeptRow } from './model-relayer-store.js';
import { maxStaleMs } from './model-node.js';
import { identify, relayers, type Purchase } from './purchase.js';
import type { World } from './world.js';

/** What an earlier process has sent lands within a minute, or never. */
const [landsSoonMs, landsLateMs] = [12_000, 40_000];

/** At one moment of a history, all instances stop, and a backup of the database takes its place, or an empty one. */
export function planRestore(world: World): void {
  const { scheduler, audits, chain } = world;
  const random = world.random('restore');
  const atMs = random.between(10_000, random.pick([60_000, 170_000]));
  let restore = backUp(world);
  closeBefore(audits, chain.newestBlock() - 1n, new Date(scheduler.now()), relayers);
  if (world.restores === 'older ledger') {
    // Most sales are made early.
    scheduler.after(random.between(3_000, Math.min(atMs, 45_000)), () => (restore = backUp(world)));
  }
  scheduler.after(atMs, () => {
    world.trace(() => `the database is gone, and an ${world.restores} comes back`);
    const { pool } = chain;
    const before = { rows: [...world.tables.payments.values()], kept: [...world.kept] };
    restore();
    const [kept, rows] = [new Set(world.kept), new Set(world.tables.payments.values())];
    const lost = before.kept.filter((each) => !kept.has(each));
    const transactions = new Set(lost.map(({ hash }) => hash));
    const payments = new Set(before.rows.filter((row) => !rows.has(row)).map(({ nonce }) => nonce));
    // A nonce that is known was lost with another fee alone.
    const isUnknown = ({ relayer, nonce }: KeptRow) => nonce >= (world.leases.get(relayer)?.nextNonce ?? 0);
    const shows = ({ hash }: KeptRow) => pool.find(hash, scheduler.now() - maxStaleMs) !== undefined;
    const isBehind = lost.some((each) => isUnknown(each) && shows(each));
    const awayMs = isBehind ? random.between(200, 40_000) : random.between(landsSoonMs + maxStaleMs, 60_000);
    world.losses = { atMs: scheduler.now(), overAtMs: scheduler.now() + awayMs, payments, transactions, isBehind };
    world.checker.onRestore(world.losses);
    pool.land(isBehind ? landsLateMs : landsSoonMs, transactions);
    for (const instance of world.started) world.crash(instance);
    replay(world);
  });
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
