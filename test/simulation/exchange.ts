import type { OperationReply } from '../../src/operations/operation.js';
import type { Instance } from './instance.js';
import { isRebuiltUnsold, publicPaymentId } from '../../src/payments/ledger/payment-row.js';
import { rowOf } from './row-checks.js';
import { maxStaleMs } from './model-node.js';
import { hexOf, keyOf, type Purchase, type Wanted } from './purchase.js';
import { statusOperation } from './shell.js';
import type { World } from './world.js';

/** No answer takes longer. */
const longestMs = 40_000;

/** A buyer's request. */
export interface Sent {
  /** The presented payment; undefined without one, or with a forged one. */
  readonly purchase: Purchase | undefined;
  readonly header: string | undefined;
  readonly wanted: Wanted;
  readonly headOnly?: boolean;
  readonly ifNoneMatch?: string;
  /** The SIGN-IN-WITH-X header that goes with the payment. */
  readonly proof?: string;
  /** Asks the payment status for the reply of the purchase. */
  readonly visit?: Visit;
}

/** The caller of the payment status, and its SIGN-IN-WITH-X header. */
export interface Visit {
  readonly by: 'payer' | 'stranger';
  readonly proof: string | undefined;
}

/** One request on its connection. */
export interface Exchange extends Sent {
  readonly id: number;
  readonly instance: Instance;
  /** When the instance received it. */
  arrivedAtMs: number;
  /**
   * True if every node shows on arrival that the payment was sent, by somebody else or before the ledger lost it, and
   * the ledger has no claim of it.
   */
  isPublic: boolean;
  /** True once the caller is gone. */
  isAbandoned: boolean;
  state: 'under way' | 'answered' | 'broken';
  /** When the instance had its reply ready; undefined until then. */
  repliedAtMs: number | undefined;
  /** True once it was answered before its payment came to an end. */
  goesOn: boolean;
  /** What its buyer got. */
  seen: Seen;
  /** The connection ends, as when the instance dies. */
  breakOff(): void;
}

/** The buyer's view in the end; undefined when the connection broke. */
export type Seen = OperationReply | undefined;

/**
 * Sends a request to an instance over a connection that may lose it, break during the reply, or die with the instance.
 * The reply counts as handed over with its last byte, whether its buyer can still use it or not.
 */
export function send(world: World, instance: Instance, sent: Sent, onSeen: (seen: Seen) => void): Exchange {
  const { scheduler, faults, checker } = world;
  const random = world.random('network');
  const exchange: Exchange = {
    ...sent,
    id: checker.exchanges.length + 1,
    instance,
    arrivedAtMs: Infinity,
    isPublic: false,
    isAbandoned: false,
    state: 'under way',
    repliedAtMs: undefined,
    goesOn: false,
    seen: undefined,
    breakOff: () => void scheduler.after(random.between(1, 100), () => finish('broken', undefined)),
  };
  checker.exchanges.push(exchange);

  function finish(state: 'answered' | 'broken', seen: Seen): void {
    if (exchange.state !== 'under way') return;
    Object.assign(exchange, { state, seen });
    onSeen(seen);
  }

  function write(reply: OperationReply): void {
    if (!instance.alive) return finish('broken', undefined);
    const breaks = reply.onDelivery !== undefined && faults.happens('delivery incomplete');
    if (exchange.isAbandoned || breaks) {
      checker.onDelivery(exchange, false);
      reply.onDelivery?.(false);
      return finish('broken', undefined);
    }
    checker.onDelivery(exchange, true);
    finish('answered', reply);
    if (reply.onDelivery !== undefined && faults.happens('crash')) {
      faults.note('crash before a delivery was noted');
      return world.crash(instance);
    }
    reply.onDelivery?.(true);
  }

  async function arrive(): Promise<void> {
    if (!instance.alive || faults.happens('request lost')) return finish('broken', undefined);
    exchange.arrivedAtMs = scheduler.now();
    exchange.isPublic = sent.visit === undefined && isPublic(world, sent);
    world.trace(() => `#${exchange.id} ${describe(exchange)} arrives at ${instance.name}`);
    const { visit, wanted } = sent;
    const reply = await instance.handle(visit === undefined ? wanted.operationId : statusOperation, {
      query: visit === undefined ? wanted.query : '',
      path: visit === undefined ? {} : { payment_id: paymentIdFor(sent) },
      paymentSignatures: sent.header === undefined ? [] : [sent.header],
      ifNoneMatch: sent.ifNoneMatch,
      requestId: `request${exchange.id}`,
      headOnly: sent.headOnly ?? false,
      walletProofs: [visit === undefined ? sent.proof : visit.proof].filter((proof) => proof !== undefined),
      address: '192.0.2.1',
      isAbandoned: () => exchange.isAbandoned,
    });
    exchange.repliedAtMs = scheduler.now();
    exchange.goesOn = world.boundsAnswers && exchange.repliedAtMs - exchange.arrivedAtMs >= longestMs;
    if (exchange.goesOn) faults.note('answered while its payment goes on');
    checker.onReply(exchange, reply);
    scheduler.after(random.between(1, 100), () => write(reply));
  }

  if (faults.happens('client hung up'))
    scheduler.after(random.between(10, 10_000), () => {
      if (exchange.state !== 'under way') return;
      exchange.isAbandoned = true;
      finish('broken', undefined);
    });
  scheduler.after(random.between(1, 100), () => void arrive());
  return exchange;
}

function isPublic(world: World, { purchase }: Sent): boolean {
  if (purchase === undefined) return false;
  const { from: payer, nonce } = purchase.authorization;
  const spending = world.chain.spendingOf({ payer, nonce });
  const row = rowOf(world, nonce);
  const isUnclaimed = row === undefined || row.state === 'released' || isRebuiltUnsold(row);
  const isSent = spending?.by === 'others' || world.losses.payments.has(nonce);
  return isUnclaimed && isSent && spending !== undefined && spending.atMs < world.scheduler.now() - maxStaleMs;
}

function paymentIdFor({ purchase }: Sent): string {
  return purchase === undefined ? hexOf(0, 32) : publicPaymentId(keyOf(purchase));
}

/** A short description of a request. */
export function describe({ purchase, header, wanted, headOnly, ifNoneMatch, visit, proof }: Sent): string {
  if (visit !== undefined)
    return `asking again for ${purchase?.name}, by its ${visit.by} ${visit.proof === undefined ? 'without' : 'with'} proof,`;
  const paying = purchase?.name ?? (header === undefined ? 'no payment' : 'a forged payment');
  const proven = proof === undefined ? '' : ' and a proof';
  const kind = `${headOnly === true ? 'HEAD ' : ''}${ifNoneMatch === undefined ? '' : 'unchanged? '}`;
  return `${kind}${wanted.operationId}?${wanted.query} with ${paying}${proven}`;
}
