import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { OperationReply } from '../../src/operations/operation.js';
import { isRebuiltUnsold } from '../../src/payments/ledger/payment-row.js';
import type { StoredRow } from './model-ledger.js';
import type { Exchange } from './exchange.js';
import type { Losses } from './losses.js';
import type { Submission } from './model-chain.js';
import { maxStaleMs } from './model-node.js';
import { judgeGone, judgeShown } from './takedown-checks.js';
import { judgePriceTold, judgeRelayed, judgeUnsettled, longPausedMs } from './relayer-checks.js';
import { judgeRow, rowOf, soldBy } from './row-checks.js';
import { asksToSignIn, fieldIn, settlementIn, textOf } from './read-reply.js';
import type { Purchase, Wanted } from './purchase.js';
import type { About } from './wire.js';
import type { World } from './world.js';

/** A broken guarantee, in plain words. */
export class Violation extends Error {
  override readonly name = 'Violation';
  constructor(
    readonly promise: string,
    readonly detail: string,
  ) {
    super(`${promise}: ${detail}`);
  }
}

/** A paid reply as it left an instance. */
export interface Served {
  readonly exchange: Exchange;
  readonly text: string;
  delivery: 'pending' | 'completed' | 'incomplete';
  /** The ledger has forgotten since what it was sold for. */
  isForgotten: boolean;
}

/**
 * One attempt that may serve a payment, by a claim, a takeover or a redelivery; it may serve one reply. finished: its
 * settlement is recorded. late: another attempt had the payment by then. unsure: unknown.
 */
interface Attempt {
  readonly owner: string;
  readonly nonce: Hex;
  state: 'granted' | 'redelivery' | 'finished' | 'late' | 'unsure' | 'served';
}

/** Sees every event and checks it against the guarantees of the service. */
export interface InvariantChecker {
  readonly exchanges: Exchange[];
  /** All replies with data, by nonce. */
  readonly served: ReadonlyMap<Hex, readonly Served[]>;
  /** The first broken guarantee. */
  readonly violation: Violation | undefined;
  /** Requests for another payment, which are wrong if the payment turns out to have been made. */
  readonly suspicions: readonly { readonly exchange: Exchange; readonly nonce: Hex; readonly payer: Hex }[];
  accuse(promise: string, detail: string): void;
  /** The names of calls whose request or answer was lost. */
  onPortFault(what: string, about: About | undefined): void;
  /** A statement of an instance reaches the ledger. */
  onStatement(method: string, args: readonly unknown[], about: About | undefined): void;
  onRow(before: StoredRow | undefined, after: StoredRow): void;
  onSubmission(submission: Submission): void;
  onRestore(losses: Losses): void;
  onReply(exchange: Exchange, reply: OperationReply): void;
  onDelivery(exchange: Exchange, completed: boolean): void;
}

/** A node may take so long to get what is sent. */
const sendingMs = 40_000;

export function createInvariantChecker(world: () => World): InvariantChecker {
  const served = new Map<Hex, Served[]>();
  const attempts: Attempt[] = [];
  const exchanges: Exchange[] = [];
  const suspicions: { exchange: Exchange; nonce: Hex; payer: Hex }[] = [];
  /** Payments that were once settled in the ledger. */
  const noted = new Set<Hex>();
  let violation: Violation | undefined;
  /** Whether the running statement lets its owner serve the payment. */
  let isGrant = false;
  let isUpkeep = false;

  function accuse(promise: string, detail: string): void {
    violation ??= new Violation(promise, detail);
  }

  function attemptOf({ owner, nonce }: Partial<About>): Attempt | undefined {
    return attempts.findLast((each) => each.owner === owner && each.nonce === nonce);
  }

  function onRow(before: StoredRow | undefined, after: StoredRow): void {
    judgeRow(world(), before, after, isUpkeep);
    if (isNoted(after)) noted.add(after.nonce);
    if (!isGrant) return;
    const state = after.state === 'settled' ? 'redelivery' : 'granted';
    attempts.push({ owner: after.leaseOwner, nonce: after.nonce, state });
  }

  function onStatement(method: string, args: readonly unknown[], about: About | undefined): void {
    // A reconciler takes a row over for no time at all, so it serves nobody.
    const isHandover = method === 'takeOver' && args[2] === 0;
    isUpkeep = method === 'bookReorg' || method === 'moveSettlement';
    isGrant = ['claim', 'takeOver', 'takeRedelivery'].includes(method) && !isHandover;
    const attempt = method === 'finish' && about !== undefined ? attemptOf(about) : undefined;
    if (attempt === undefined) return;
    const row = rowOf(world(), attempt.nonce);
    attempt.state = row?.state === 'claimed' && row.leaseOwner === attempt.owner ? 'finished' : 'late';
  }

  function onSubmission(submission: Submission): void {
    const { by, authorization } = submission;
    judgeRelayed(world(), submission);
    const { chain } = world();
    // What a block had and lost is sent again, whatever became of its payment.
    if (by !== 'us' || chain.pool.hasBeenUndone || !chain.isUsable(authorization)) return;
    const row = rowOf(world(), authorization.nonce);
    if (row?.state !== 'claimed' && row?.state !== 'settled' && !isJustLost(submission.transaction))
      accuse('nothing is charged that is not claimed', `sent while the ledger has it as ${row?.state ?? 'unknown'}`);
  }

  /** The database has gone back under its sender, who has kept it and is not told yet, or was just told. */
  function isJustLost(transaction: Hex): boolean {
    const { transactions, noticedAtMs } = world().losses;
    const lost = transactions.get(transaction);
    if (lost === undefined) return false;
    const heardAtMs = Math.min(lost.knownAtMs ?? 0, lost.keptAtMs + longPausedMs);
    const toldAtMs = Math.max(noticedAtMs.get(lost.owner) ?? Infinity, heardAtMs);
    return world().scheduler.now() < toldAtMs + sendingMs;
  }

  function onReply(exchange: Exchange, reply: OperationReply): void {
    world().trace(() => `#${exchange.id} is answered ${reply.status} ${fieldIn(reply, 'reason')}`);
    if (reply.status === 410) judgeGone(world(), exchange);
    if (reply.status === 200) return onData(exchange, reply);
    if (reply.onDelivery !== undefined) accuse('only data is charged', `a ${reply.status} that is delivered as paid`);
    if (reply.status !== 402 && reply.headers['PAYMENT-REQUIRED'] !== undefined)
      accuse('only a 402 asks for payment', `a ${reply.status} asks for it`);
    if (reply.status === 402 && !asksToSignIn(reply)) onAsking(exchange);
    if (fieldIn(reply, 'payment') === 'not_settled') judgeUnsettled(world(), exchange);
  }

  function onData(exchange: Exchange, reply: OperationReply): void {
    const { purchase, headOnly, visit } = exchange;
    if (purchase === undefined || !isEntitled(exchange) || headOnly === true)
      return accuse('nobody gets data without a payment or a proof', `a 200 for request ${exchange.id}`);
    const row = rowOf(world(), purchase.authorization.nonce);
    const wanted = visit === undefined || row === undefined ? exchange.wanted : readWanted(soldBy(world(), row));
    const { from: payer, nonce } = purchase.authorization;
    const payments = world().chain.everPaid.get(`${payer}/${nonce}`) ?? [];
    const { transaction } = settlementIn(reply);
    if (!payments.some((each) => each.transaction === transaction))
      return accuse('no 200 without a transfer on chain', `${purchase.name} names ${transaction}`);
    if (exchange.isPublic && !world().chain.undone.size && !hasProven(purchase) && !wasAskedBefore(purchase))
      return accuse("what somebody else has sent is sold to its payer's proof", purchase.name);
    const text = textOf(reply);
    judgeShown(world(), exchange, text);
    if (!text.startsWith(`${wanted.operationId} ${wanted.query} `))
      return accuse('one authorization buys one request', `${text} for ${wanted.operationId}?${wanted.query}`);
    const earlier = served.get(nonce) ?? [];
    const other = earlier.find((each) => each.text !== text && !each.isForgotten);
    if (other !== undefined) return accuse('one authorization buys one request', `${text} after ${other.text}`);
    // Its settlement may have been noted in what was lost meanwhile.
    const isForgotten = world().losses.payments.has(nonce) && (row === undefined || !isNoted(row));
    served.set(nonce, [...earlier, { exchange, text, delivery: 'pending', isForgotten }]);
    if (visit !== undefined && !noted.has(nonce))
      accuse('no 200 before its settlement is noted', `${purchase.name} in the payment status`);
    if (visit === undefined) judgeAttempt(exchange, purchase);
  }

  const hasProven = ({ authorization: { nonce } }: Purchase): boolean =>
    exchanges.some((each) => each.proof !== undefined && each.purchase?.authorization.nonce === nonce);

  /** Asked for before anybody else had sent it, and still worked on then: that request is sold it. */
  const wasAskedBefore = (purchase: Purchase): boolean =>
    exchanges.some((each) => each.goesOn && !each.isPublic && each.purchase === purchase);

  /** An older copy of the ledger is back. */
  function onRestore({ payments }: Losses): void {
    for (const nonce of payments) {
      noted.delete(nonce);
      for (const each of served.get(nonce) ?? []) each.isForgotten = true;
    }
    for (const row of world().tables.payments.values()) if (isNoted(row)) noted.add(row.nonce);
  }

  /** Every reply requires an entitled attempt of this instance. */
  function judgeAttempt({ instance }: Exchange, { authorization: { nonce }, name, identifier }: Purchase): void {
    const own = attempts.filter((each) => each.nonce === nonce && each.owner.startsWith(`${instance.owner} `));
    const entitled = own.find(({ state }) => ['finished', 'redelivery', 'unsure'].includes(state));
    if (entitled !== undefined) return void (entitled.state = 'served');
    // With its identifier a buyer gets the reply any number of times.
    if (identifier !== undefined && noted.has(nonce)) return;
    if (own.some(({ state }) => state === 'late'))
      return accuse('who lost the lease serves nobody', `${name} from ${instance.name}`);
    if (own.some(({ state }) => state === 'granted'))
      return accuse('no 200 before its settlement is noted', `${name} from ${instance.name}`);
    accuse('each reply has a grant of its own', `${name} from ${instance.name}`);
  }

  /** A 402 is wrong when we have sent the refused payment, or the chain has it, for the same request. */
  function onAsking(exchange: Exchange): void {
    const { purchase, wanted, headOnly, arrivedAtMs, visit } = exchange;
    if (exchange.header === undefined && visit === undefined) judgePriceTold(world(), exchange.instance);
    if (purchase === undefined || headOnly === true || visit !== undefined || !isEntitled(exchange)) return;
    const { from: payer, nonce } = purchase.authorization;
    const row = rowOf(world(), nonce);
    const isSold = row !== undefined && row.state !== 'released' && !isRebuiltUnsold(row);
    const sold = isSold ? soldBy(world(), row) : undefined;
    const isSoldElsewhere = sold !== undefined && !sold.startsWith(`${wanted.operationId} ${wanted.query} `);
    const isIdentified = purchase.identifier !== undefined;
    const isDelivered = !isIdentified && served.get(nonce)?.some((each) => each.delivery === 'completed') === true;
    // An operation with another price is not covered by the signature.
    const isOtherPrice = wanted.operationId !== purchase.wanted.operationId;
    if (isSoldElsewhere || isDelivered || isOtherPrice) return;
    const { submissions } = world().chain;
    const isSent = submissions.some(
      (each) =>
        each.by === 'us' &&
        each.authorization.nonce === nonce &&
        each.sentAtMs < arrivedAtMs &&
        (each.state === 'pending' || each.state === 'mined'),
    );
    const spending = world().chain.spendingOf({ payer, nonce });
    const isPaid = spending && world().chain.isPayment(spending) && spending.atMs < arrivedAtMs - maxStaleMs;
    // By a wrong clock a payment that the ledger does not know may be invalid, whoever sent its transfer.
    const isKnowable = row !== undefined || !exchange.instance.hadWrongClock;
    if ((isSent && (isKnowable || !world().losses.payments.has(nonce))) || (isPaid && isKnowable))
      suspicions.push({ exchange, nonce, payer });
  }

  return {
    exchanges,
    served,
    suspicions,
    get violation() {
      return violation;
    },
    accuse,
    onPortFault(what, about) {
      const attempt = what === 'finish' && about !== undefined ? attemptOf(about) : undefined;
      if (attempt !== undefined) attempt.state = 'unsure';
    },
    onStatement,
    onRow,
    onSubmission,
    onRestore,
    onReply,
    onDelivery(exchange, completed) {
      world().trace(() => `#${exchange.id} ${completed ? 'arrives' : 'does not arrive'} at its buyer`);
      const reply = [...served.values()].flat().find((each) => each.exchange === exchange);
      if (reply !== undefined) reply.delivery = completed ? 'completed' : 'incomplete';
    },
  };
}

/** Whether the request entitles to data: the complete payment, or the payer's own proof. */
export function isEntitled({ purchase, header, visit }: Exchange): boolean {
  return visit === undefined ? header === purchase?.header : visit.by === 'payer' && visit.proof !== undefined;
}

/** The sold product, from the text of the mock handler. */
export function readWanted(sold: string): Wanted {
  const [operationId = '', query = ''] = sold.split(' ');
  return { operationId, query };
}

/** Whether its settlement is recorded, with what it has bought. */
function isNoted(row: StoredRow): boolean {
  return row.state === 'settled' && !isRebuiltUnsold(row);
}
