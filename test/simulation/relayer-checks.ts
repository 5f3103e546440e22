import type { StoredRow } from './model-ledger.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { Exchange } from './exchange.js';
import type { Instance } from './instance.js';
import type { Submission } from './model-chain.js';
import type { KeptRow } from './model-relayer-store.js';
import { maxStaleMs } from './model-node.js';
import { rowOf } from './row-checks.js';
import type { World } from './world.js';

/** A node that takes what stands still for longer is out of order, and nothing is sold. */
const stuckMs = 45_000;
/** A restored ledger sells nothing for so long. */
const restMs = 60_000;
/** A database that says nothing for so long is away: the beat of every five seconds is twelve seconds old. */
const silentMs = 18_000;
/** A relayer that held still so long, and not longer, sends so soon what it has kept. */
const [pausedMs, wakingMs] = [1_000, 5_000];
export const longPausedMs = 5_500;
/** So long after the last request nothing waits any more. */
const quietMs = 100_000;
/** What payers with code may burn in an hour, in units of gas. */
const failedGasPerHour = 1_000_000n;
/** An open payment that is older may not count against its payer's balance any more. */
const youngMs = 60_000;

/** Whether a transaction of ours may still pay with an authorization. */
export function mayStillPay({ chain }: World, authorization: Submission['authorization']): boolean {
  return !chain.pool.hasBeenUndone && chain.isUsable(authorization) && chain.pool.liveOf(authorization).length > 0;
}

/** Judges what a node takes from a relayer. */
export function judgeRelayed(world: World, { authorization, transaction, relayedBy }: Submission): void {
  const { chain, checker } = world;
  if (relayedBy === undefined || chain.pool.hasBeenUndone) return;
  const { from: payer, nonce } = authorization;
  const signed = [...world.kept, ...world.losses.transactions.values()].find(({ hash }) => hash === transaction);
  const toldAtMs = world.losses.noticedAtMs.get(relayedBy) ?? Infinity;
  // Another that does not rest may send what this one has kept.
  if (signed?.owner === relayedBy && (signed.knownAtMs ?? signed.keptAtMs) > toldAtMs)
    judgeRest(world, relayedBy, `${transaction} is sent by ${relayedBy}`);
  const paid = chain.pool.find(chain.spendingOf({ payer, nonce })?.transaction ?? '0x', Infinity);
  const able = [...chain.pool.liveOf(authorization), ...(paid === undefined ? [] : [paid.transaction])];
  const places = new Set(able.map(({ from, nonce }) => `${from}/${nonce}`));
  if (places.size > 1) checker.accuse('one live transaction of an authorization', `${transaction} is another`);
  // What failed in the time that a restored ledger has lost, nobody knows.
  if (chain.pool.hasFailed(authorization, world.losses.transactions) && !hasJustWoken(world, transaction))
    checker.accuse('what failed on chain is never sent again', authorization.nonce);
}

/** Its signer held still from before it was kept until now: no check can precede the sending of what is signed. */
function hasJustWoken({ kept, scheduler }: World, transaction: Hex): boolean {
  const { keptAtMs = 0, knownAtMs = 0 } = kept.find(({ hash }) => hash === transaction) ?? {};
  const pauseMs = knownAtMs - keptAtMs;
  return pauseMs >= pausedMs && pauseMs < longPausedMs && scheduler.now() - knownAtMs < wakingMs;
}

/** A payment may be made anew only when nothing of ours can pay with it any more. */
export function judgeRelease(world: World, { nonce, payer }: StoredRow): void {
  const { chain, checker, purchases } = world;
  const authorization = purchases.get(nonce)?.authorization;
  if (authorization === undefined || world.settlesBy !== 'itself') return;
  const paid = chain.spendingOf({ payer, nonce });
  if (mayStillPay(world, authorization)) checker.accuse('doubt is never read as no', `${nonce} can still be charged`);
  if (paid?.by === 'us' && chain.isPayment(paid)) checker.accuse('doubt is never read as no', `${nonce} is charged`);
}

/**
 * What a node had taken before a request came, and has paid or may still pay, is not told to be unsettled. HEAD tells
 * nothing, and nobody hears it who has hung up.
 */
export function judgeUnsettled(world: World, exchange: Exchange): void {
  const { purchase, header, wanted, arrivedAtMs, visit } = exchange;
  if (exchange.headOnly === true || exchange.isAbandoned) return;
  if (purchase === undefined || header !== purchase.header || visit !== undefined) return;
  const isSame = wanted.operationId === purchase.wanted.operationId && wanted.query === purchase.wanted.query;
  const { authorization } = purchase;
  const isSent = world.chain.submissions.some(
    (each) =>
      each.relayedBy !== undefined && each.authorization.nonce === authorization.nonce && each.sentAtMs < arrivedAtMs,
  );
  const paid = world.chain.spendingOf({ payer: authorization.from, nonce: authorization.nonce });
  // By a wrong clock it is invalid. What an older copy has as let go is not written again.
  const isLacking = world.audits.restores.length > 0 || rowOf(world, authorization.nonce)?.state === 'settled';
  const mustDoubt =
    (rests(world, exchange.instance.owner) || (world.losses.isBehind && isLacking)) && !exchange.instance.hadWrongClock;
  const isKnown = mustDoubt || !world.losses.payments.has(authorization.nonce);
  const isOurs = isKnown && paid?.by === 'us' && world.chain.isPayment(paid);
  const isPaid = isOurs && paid.atMs < arrivedAtMs - maxStaleMs;
  if (isSame && isSent && (isPaid || mayStillPay(world, authorization)))
    world.checker.accuse('doubt is never read as no', `${purchase.name} ${isPaid ? 'is' : 'can still be'} charged`);
}

/** What was sent before an older copy of the ledger came back has to land first. */
function rests({ losses, scheduler, restores }: World, owner: string): boolean {
  const { atMs, isBehind, noticing, noticedAtMs } = losses;
  if (!isBehind || atMs === undefined) return false;
  if (restores !== 'database goes back') return scheduler.now() < atMs + restMs;
  const toldAtMs = noticedAtMs.get(owner);
  return (
    noticing.has(owner) && scheduler.now() > (toldAtMs ?? Infinity) && scheduler.now() < (toldAtMs ?? atMs) + restMs
  );
}

/** Judges a new claim, a price that is told, or what is sent. */
export function judgeRest(world: World, owner: string, what: string): void {
  if (rests(world, owner)) world.checker.accuse('a restored ledger sells nothing for a minute', what);
}

/** Nobody is asked for fresh money by an instance whose relayer stands still, or whose ledger was just restored. */
export function judgePriceTold(world: World, instance: Instance): void {
  const { chain, scheduler, checker } = world;
  judgeRest(world, instance.owner, `a price is told by ${instance.name}`);
  const { atMs = Infinity, noticing, noticedAtMs } = world.losses;
  const isUntold = noticing.has(instance.owner) && !noticedAtMs.has(instance.owner);
  if (isUntold && scheduler.now() > atMs + silentMs)
    checker.accuse('a database that has gone back is noticed', `not by ${instance.name}`);
  const address = instance.relayerAddress();
  // What the ledger has lost stands for nothing: its nonce is taken anew.
  const isKept = ({ relayer, nonce }: KeptRow) =>
    relayer === address && nonce === chain.pool.countOf(relayer, Infinity);
  const isLost = world.losses.atMs !== undefined && !world.kept.some(isKept);
  const standsMs = address === undefined || isLost ? undefined : chain.pool.standsSince(address);
  const sinceMs = Math.max(standsMs ?? Infinity, instance.clockSetAtMs);
  if (!chain.pool.hasBeenUndone && scheduler.now() - sinceMs >= stuckMs)
    checker.accuse('nothing is sold behind a transaction that stands still', `by ${instance.name}`);
}

/**
 * A payment fails for lack of money only where its payer's money left by other ways, or where another payment of its
 * payer was open for more than a minute: what is in flight counts against the balance.
 */
function judgeUnfunded(world: World, { from: payer, nonce }: Submission['authorization']): void {
  const { chain, checker, tables, purchases, losses } = world;
  const isLost = [...losses.payments].some((each) => purchases.get(each)?.authorization.from === payer);
  const hasExcuse = chain.drained.has(payer) || chain.undone.size > 0 || isLost;
  const ofPayer = [...tables.payments.values()].filter((row) => row.payer === payer);
  const claimedMs = ofPayer.map(({ claimedAt }) => claimedAt.getTime());
  if (!hasExcuse && Math.max(...claimedMs) - Math.min(...claimedMs) < youngMs)
    checker.accuse('what is in flight counts against the balance', `${nonce} was sent, and could not pay`);
}

/** Long after the last request and the last fault. */
export function checkRelayers(world: World): void {
  const { checker, chain, scheduler, instances } = world;
  const lastMs = Math.max(...checker.exchanges.map(({ arrivedAtMs }) => (arrivedAtMs < Infinity ? arrivedAtMs : 0)));
  for (const instance of scheduler.now() - lastMs < quietMs ? [] : instances)
    if (instance.isWaiting()) checker.accuse('after a quiet time nothing waits', `at ${instance.name}`);
  if (chain.pool.burnedBy((payer: Hex) => chain.withCode.has(payer)) > failedGasPerHour)
    checker.accuse('failed gas stays within its budget', 'of payers with code');
  for (const each of world.settlesBy === 'itself' ? chain.unfunded : []) judgeUnfunded(world, each);
}
