import { toAtomicUnits } from '../../src/payments/chain/token-amount.js';
import { hexOf, createPurchase, forge, identify, type Purchase, type Wanted } from './purchase.js';
import { emptyState } from './instance.js';
import { exclusiveOperation } from './lead-counter.js';
import { priceOf } from './shell.js';
import { send, type Seen, type Sent, type Visit } from './exchange.js';
import { signChallenge } from './payment-status.js';
import { askStatus } from './visitor.js';
import { rowOf } from './row-checks.js';
import type { World } from './world.js';

const operationIds = ['listDeals', 'listDeals', 'listDeals', 'listBasicDeals'] as const;
const states = ['OH', 'OH', 'TX'] as const;

/** Signs a payment for a product, or for a query without matches, and presents it until it has an answer. */
export function startBuyer(world: World, number: number): void {
  const random = world.random(`buyer ${number}`);
  world.scheduler.after(random.between(0, 15_000), () => {
    const picked = random.pick(operationIds);
    const operationId = world.faults.happens('exclusive lead wanted') ? exclusiveOperation : picked;
    const state = world.faults.happens('nothing matches') ? emptyState : random.pick(states);
    const purchase = sign(world, number, { operationId, query: `state=${state}` }, random.below(3));
    const { from, value } = purchase.authorization;
    if (world.faults.happens('payer with too little')) world.chain.addBalance(from, value / 2n);
    else world.chain.addBalance(from, random.chance(0.7) ? 10n * value : value);
    if (world.faults.happens('payer with code')) world.chain.withCode.add(from);
    else if (world.faults.happens('known payer')) world.knownPayers.add(from);
    insist(world, { purchase, header: purchase.header, wanted: purchase.wanted }, random.below(9));
    rivals(world, purchase);
  });
}

/** Somebody asks for the price again and again, and pays nothing. */
export function askForPrices(world: World): void {
  const random = world.random('prices');
  world.scheduler.after(random.between(5_000, 15_000), () => {
    if (world.faults.stopped) return;
    const [first, ...others] = world.instances;
    const sent = { purchase: undefined, header: undefined, wanted: { operationId: 'listDeals', query: 'state=OH' } };
    if (first !== undefined && world.faults.happens('price asked for'))
      send(world, random.pick([first, ...others]), sent, () => undefined);
    askForPrices(world);
  });
}

/** Others who present the same payment at the same time, or a variant of it. */
function rivals(world: World, purchase: Purchase): void {
  const { faults } = world;
  const random = world.random(`rivals of ${purchase.name}`);
  const soon = (sent: Sent, tries: number) =>
    world.scheduler.after(random.between(0, random.pick([50, 3_000, 90_000])), () => insist(world, sent, tries));
  const same = { purchase, header: purchase.header, wanted: purchase.wanted };
  for (let copy = 0; copy < 4; copy++) if (faults.happens('another copy')) soon(same, random.below(3));
  const { operationId, query } = purchase.wanted;
  const others: readonly [Wanted, Wanted] = [
    { operationId, query: query === 'state=OH' ? 'state=TX' : 'state=OH' },
    { operationId: operationId === 'listDeals' ? 'listBasicDeals' : 'listDeals', query },
  ];
  for (let index = 0; index < 2; index++)
    if (faults.happens('another request with the same payment')) soon({ ...same, wanted: random.pick(others) }, 2);
  // Buyers of leads have competitors for the same lead.
  for (let other = 1; operationId === exclusiveOperation && other <= 2; other++) {
    if (!faults.happens('exclusive lead wanted')) continue;
    const competing = sign(world, Number(purchase.authorization.nonce) + 2_000 * other, purchase.wanted, other);
    world.chain.addBalance(competing.authorization.from, competing.authorization.value);
    insist(world, { purchase: competing, header: competing.header, wanted: competing.wanted }, 4);
  }
  if (faults.happens('forged payment')) soon({ ...same, purchase: undefined, header: forge(purchase) }, 1);
  if (faults.happens('payment on a HEAD request')) soon({ ...same, headOnly: true }, 0);
  if (purchase.identifier !== undefined) {
    for (let thief = 0; thief < 3; thief++)
      if (faults.tempts('signature shown without its identifier')) stealSignature(world, purchase);
    if (faults.happens('identifier shown with another payment')) {
      const { authorization, wanted, identifier } = purchase;
      const nonce = Number(authorization.nonce) + 1_000;
      const payer = Number(BigInt(authorization.from) & 0xffn);
      const other = sign(world, nonce, random.pick([wanted, ...others]), payer, identifier);
      soon({ purchase: other, header: other.header, wanted: other.wanted }, 2);
    }
  }
  visitors(world, purchase);
}

/** Settled payments are public: a reader of the chain presents the signature, without the buyer's secret identifier. */
function stealSignature(world: World, purchase: Purchase): void {
  const random = world.random('thieves');
  world.scheduler.after(random.between(5_000, 150_000), () => {
    const row = rowOf(world, purchase.authorization.nonce);
    if (row?.state !== 'settled' || row.clientIdHash === undefined) return;
    world.faults.note('signature shown without its identifier');
    insist(world, { purchase, header: identify(purchase, undefined).header, wanted: purchase.wanted }, 1);
  });
}

/** A caller who asks the payment status for the reply. */
function visitors(world: World, purchase: Purchase): void {
  const { faults, scheduler } = world;
  const random = world.random('visitors');
  const visit = (by: Visit['by'], signs: boolean) =>
    scheduler.after(random.between(1_000, 150_000), () => askStatus(world, purchase, by, { signs, tries: 3 }));
  if (faults.happens('reply asked for by its payer')) visit('payer', true);
  if (faults.happens('reply asked for without a proof')) visit('stranger', false);
  if (faults.happens("reply asked for with a stranger's proof")) visit('stranger', true);
}

/** Sends, and repeats the same request while told so or unanswered, at most this many times. */
export function insist(world: World, sent: Sent, tries: number): void {
  const random = world.random('patience');
  const [first, ...others] = world.instances;
  if (first === undefined) {
    world.scheduler.after(1_000, () => insist(world, sent, tries));
    return;
  }
  send(world, random.pick([first, ...others]), sent, (seen) => {
    if (seen?.status === 200) return revalidate(world, sent, seen);
    const proof = signFor(sent, seen);
    if (proof !== undefined && tries > 0) {
      world.scheduler.after(random.between(10, 2_000), () => insist(world, { ...sent, proof }, tries));
      return;
    }
    const isRetryable = seen === undefined || seen.status === 409 || seen.status >= 500;
    if (!isRetryable || tries === 0) return;
    const seconds = Number(seen?.headers['Retry-After'] ?? 1);
    const pauseMs = random.chance(0.1) ? random.between(30_000, 90_000) : random.between(500, 1_500) * seconds;
    world.scheduler.after(pauseMs, () => insist(world, sent, tries - 1));
  });
}

/** The challenge of a refusal, signed by the payer who presents the payment as it was signed, once. */
export function signFor({ purchase, header, proof }: Sent, seen: Seen): string | undefined {
  if (seen?.status !== 402 || purchase === undefined || header !== purchase.header || proof !== undefined)
    return undefined;
  return signChallenge(String(seen.body), purchase.authorization.from);
}

/** A buyer with a reply may ask whether it has changed, with a new payment in case it has. */
function revalidate(world: World, { purchase, wanted }: Sent, { headers }: NonNullable<Seen>): void {
  const tag = headers['ETag'];
  if (purchase === undefined || tag === undefined || !world.faults.happens('fresh payment for an unchanged reply'))
    return;
  const nonce = Number(purchase.authorization.nonce) + 100;
  // Copies of one request return together: their buyer signs once.
  const next = world.purchases.get(hexOf(nonce, 32)) ?? sign(world, nonce, wanted, 0);
  insist(world, { purchase: next, header: next.header, wanted, ifNoneMatch: tag }, 3);
}

/** Signs a payment; some have an identifier of their buyer. */
export function sign(world: World, nonce: number, wanted: Wanted, payer: number, given?: string): Purchase {
  const random = world.random(`payment ${nonce}`);
  const identifier = random.chance(0.4) ? `simulated-purchase-${nonce}` : undefined;
  const nowSeconds = BigInt(Math.floor(world.scheduler.now() / 1000));
  const amount = toAtomicUnits(priceOf(wanted.operationId));
  const most = random.chance(0.5) ? 350 : world.longestWindow;
  const validBefore = nowSeconds + BigInt(random.chance(0.2) ? 10 + random.below(20) : 60 + random.below(most - 59));
  const purchase = createPurchase(`payment ${nonce}`, wanted, {
    payer,
    nonce,
    amount,
    validAfter: nowSeconds - 60n,
    validBefore,
    identifier: given ?? identifier,
  });
  world.purchases.set(hexOf(nonce, 32), purchase);
  return purchase;
}
