import type { Knex } from 'knex';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { concatBytes } from '../../../src/contract/rendered.js';
import type { OperationReply } from '../../../src/operations/operation.js';
import { createPurchase, type Purchase } from '../../simulation/purchase.js';
import { createRandom } from '../../simulation/random.js';
import { toAtomicUnits } from '../../../src/payments/chain/token-amount.js';
import { priceOf } from '../../simulation/shell.js';
import { stopDatabaseClock } from '../../support/database-clock.js';
import { createLeadSeller, type LeadSeller } from './lead-seller.js';
import { beginLife, type Life, type Moment } from './life.js';
import { createScriptedChain } from './scripted-chain.js';

/** One who pays for a lead, with an identifier that gives it its reply as often as it asks. */
export interface Buyer {
  readonly purchase: Purchase;
  /** What it got, once it got something. */
  text: string | undefined;
  /** shopping: comes again. gone: was refused, or has lost patience. */
  state: 'shopping' | 'served' | 'gone';
}

export type LeadMarket = ReturnType<typeof createLeadMarket>;

const moments: readonly Moment[] = [
  ...['verify', 'readHolds', 'claim', 'settle', 'finish', 'release', 'endLease', 'takeOver', 'find'],
  ...['findMany', 'listOpen', 'readReplyBody', 'recordDeliveries'],
].flatMap((call): Moment[] => [`before ${call}`, `after ${call}`]);

/** An authorization is valid for so long; its end is proven by the chain a minute later. */
const validSeconds = 300;
const failureRate = 0.01;

/**
 * Sellers of the same leads, each with its own way to one database, whose processes die and are started again, and
 * buyers who come back. Whatever is told to a buyer that must not be told is kept as a complaint.
 */
export function createLeadMarket(
  databases: readonly Knex[],
  leadIds: readonly string[],
  startMs: number,
  seed: number,
) {
  const random = createRandom(seed, 'market');
  let nowMs = startMs;
  const now = (): Date => new Date(nowMs);
  /** For the database, too. */
  async function advance(ms: number): Promise<void> {
    nowMs += ms;
    if (databases[0] !== undefined) await stopDatabaseClock(databases[0], now());
  }
  const chain = createScriptedChain(createRandom(seed, 'chain'), now);
  const buyers = new Map<Hex, Buyer>();
  const complaints: string[] = [];
  const deaths = new Map<Moment, number>();
  let lives = 0;
  let doomed = 0;
  let isCalm = false;

  function open(knex: Knex): LeadSeller {
    const owner = `process ${++lives}`;
    const life = beginLife({
      death: isCalm ? undefined : moments[doomed++ % moments.length],
      passes: random.below(3),
      failureRate: () => (isCalm ? 0 : failureRate),
      random,
      onDeath: (moment) => deaths.set(moment, (deaths.get(moment) ?? 0) + 1),
    });
    return createLeadSeller({ owner, life, knex, chain, leadIds, now });
  }
  let sellers = databases.map(open);
  const fallen: Life[] = [];

  /** Trouble begins or ends with new processes; meanwhile whoever has died is started again. */
  function turn(toCalm: boolean): void {
    const isTurning = toCalm !== isCalm;
    isCalm = toCalm;
    chain.calm(toCalm);
    sellers = sellers.map((each, index) => {
      const knex = databases[index];
      if (each.life.isOver) fallen.push(each.life);
      return knex !== undefined && (isTurning || each.life.isOver) ? open(knex) : each;
    });
  }

  function sign(): Buyer {
    const number = buyers.size + 1;
    const seconds = BigInt(Math.floor(nowMs / 1000));
    const purchase = createPurchase(
      `payment ${number}`,
      { operationId: 'buyExclusiveLead', query: '' },
      {
        payer: number % 200,
        nonce: number,
        amount: toAtomicUnits(priceOf('buyExclusiveLead')),
        validAfter: 0n,
        validBefore: seconds + BigInt(validSeconds),
        identifier: `exclusive-purchase-${number}`,
      },
    );
    const buyer: Buyer = { purchase, text: undefined, state: 'shopping' };
    buyers.set(purchase.authorization.nonce, buyer);
    return buyer;
  }

  /** Shows the payment to one of the sellers, and understands the answer as an honest buyer does. */
  async function visit(buyer: Buyer): Promise<void> {
    const seller = sellers[random.below(sellers.length)];
    const reply = await seller?.sell(buyer.purchase.header);
    if (reply?.status === 200) return take(buyer, reply);
    const isPaid = chain.transfers.has(buyer.purchase.authorization.nonce);
    if (buyer.text !== undefined && reply !== undefined && reply.status < 500 && reply.status !== 409)
      complaints.push(`${buyer.purchase.name} had its lead, and is answered ${reply.status}`);
    if (reply === undefined || reply.status === 409 || reply.status >= 500) {
      if (!isCalm && buyer.text === undefined && random.chance(0.1)) buyer.state = 'gone';
    } else if (isPaid) complaints.push(`${buyer.purchase.name} has paid, and is answered ${reply.status}`);
    else if (reply.status !== 402 || random.chance(0.5)) buyer.state = 'gone';
  }

  function take(buyer: Buyer, reply: OperationReply): void {
    const text = replyText(reply);
    if (!chain.transfers.has(buyer.purchase.authorization.nonce))
      complaints.push(`${buyer.purchase.name} got a lead for nothing`);
    if (buyer.text !== undefined && buyer.text !== text) complaints.push(`${buyer.purchase.name} got two replies`);
    Object.assign(buyer, { text, state: 'served' });
  }

  const shopping = () => [...buyers.values()].filter(({ state }) => state === 'shopping');

  return {
    chain,
    buyers,
    complaints,
    deaths,
    now,
    advance,
    /** So many new buyers come at once, with all who come again; some who have their lead ask for it again. */
    async wave(newcomers: number): Promise<void> {
      turn(false);
      for (let count = 0; count < newcomers; count++) sign();
      const before = [...buyers.values()].slice(-2 * newcomers, -newcomers);
      const again = before.filter(({ state }) => state === 'served').slice(0, 5);
      await Promise.all([...shopping(), ...again].map(visit));
      await advance(random.between(1_000, 70_000));
      chain.mine();
      await Promise.all(sellers.map((each) => each.reconcile()));
    },
    /**
     * Nothing goes wrong any more, what the dead had sent has landed, and every authorization's time is over: then
     * every payment comes to its end.
     */
    async settleDown(): Promise<void> {
      turn(true);
      await advance(70_000);
      await Promise.all(shopping().map(visit));
      await advance(2 * validSeconds * 1000);
      await Promise.all(fallen.splice(0).map((life) => life.landed()));
      await sellers[0]?.reconcile();
    },
    /** These come for their reply once more. */
    revisit: (some: readonly Buyer[]) => Promise.all(some.map(visit)),
    stop: () => Promise.all(sellers.map((each) => each.stop())),
  };
}

function replyText({ body }: OperationReply): string {
  return body === undefined || typeof body === 'string' ? '' : Buffer.from(concatBytes(body)).toString('utf8');
}
