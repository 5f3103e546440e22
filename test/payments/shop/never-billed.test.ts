import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { loadContract } from '../../../src/contract/load-contract.js';
import { dealKind, type DealColumns, type DealRank } from '../../../src/feeds/query/deal-kind.js';
import { createEmptyRecords } from '../../../src/feeds/store/in-memory-records.js';
import { createSnapshot } from '../../../src/feeds/query/snapshot.js';
import { toAtomicUnits } from '../../../src/payments/chain/token-amount.js';
import { createAccount } from '../../support/chain.js';
import { deep } from '../../support/depth.js';
import { livePath } from '../../support/live-path.js';
import { nothingMatches } from '../../support/nothing-matches.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, type Shop } from '../shop.js';
import { withId } from '../with-id.js';

const priced = loadContract().operations.flatMap(({ operationId, path, priceUsd }) =>
  priceUsd === undefined ? [] : [{ operationId, template: path, price: toAtomicUnits(priceUsd) }],
);
/** Calls of one payer at once. */
const atOnce = 2;
const away = (): Promise<never> => Promise.reject(new Error('the connection was reset'));

describe('no answer but a 200 moves money, by the ledger and by the balances on the chain', () => {
  let shop: Shop;
  before(async () => {
    shop = await openShop({ environment: { PAID_CALLS_PER_PAYER: String(atOnce) } });
  });
  afterEach(() => shop.mend());
  after(() => shop.close());

  for (const [place, { operationId, template, price }] of priced.entries()) {
    describe(operationId, () => {
      let turn = place;
      /** In an ordinary test run each case is tried at every third operation. */
      const itMoves = (title: string, test: () => Promise<void>): void => {
        if (deep(true, turn++ % 3 === 0)) it(title, test);
      };
      let path: string;
      let header: string;
      before(() => void (path = livePath(shop.app, template)));
      // It names no resource, so that what is not there leaves it good for what is.
      beforeEach(async () => {
        header = await shop.sign(path, { alter: ({ resource: _, ...payload }) => payload });
      });

      const pay = (at = path, sent: string | undefined = header): Promise<Answer> => shop.pay(at, sent);

      /** `run` moves nothing; and the payment is as good afterwards as it was before, and is charged once then. */
      async function assertUnbilled(run: () => Promise<void>): Promise<void> {
        const before = await takings(shop);
        await run();
        assert.deepEqual(await takings(shop), before);
        shop.mend();
        assertPaid(await pay());
        const { buyer, payTo, settled } = before;
        assert.deepEqual(await takings(shop), {
          buyer: buyer - price,
          payTo: payTo + price,
          settled: settled + price,
        });
      }

      itMoves('400: a parameter that does not exist', () =>
        assertUnbilled(async () => {
          const joint = path.includes('?') ? '&' : '?';
          assertRefused(await pay(`${path}${joint}no_such_filter=1`), 400, 'unknown_parameter');
        }),
      );

      itMoves('400: a payment that is none', () =>
        assertUnbilled(async () => assertRefused(await pay(path, '%%%'), 400, 'payment_malformed')),
      );

      if (operationId === 'getReport')
        for (const [reason, id] of [
          ['invalid_deal_id', '1'],
          ['placeholder_not_replaced', '{id}'],
        ] as const)
          itMoves(`400: ${reason}`, () =>
            assertUnbilled(async () =>
              assertRefused(await pay(template.replace('{id}', encodeURIComponent(id))), 400, reason),
            ),
          );

      itMoves('402: no payment', () =>
        assertUnbilled(async () => assertRefused(await shop.pay(path, undefined), 402, 'payment_required')),
      );

      itMoves('402: a payment of less, one whose time is over, and one of a payer without money', () =>
        assertUnbilled(async () => {
          const less = await shop.sign(path, { value: price - 1n });
          assertRefused(await pay(path, less), 402, 'payment_amount_mismatch');
          const over = await shop.sign(path, { validBefore: BigInt(Math.floor(Date.now() / 1000) - 60) });
          assertRefused(await pay(path, over), 402, 'payment_expired');
          const poor = await shop.sign(path, { signer: createAccount() });
          assert.equal((await pay(path, poor)).status, 402);
        }),
      );

      itMoves('402: a settlement that fails', () =>
        assertUnbilled(async () => {
          shop.faults.settler.settle = async () => ({
            outcome: 'failed',
            reason: 'insufficient_funds',
            detail: 'poor',
          });
          assertRefused(await pay(), 402, 'settlement_failed');
        }),
      );

      itMoves('404: nothing is there', () =>
        assertUnbilled(async () => {
          const target = nothingMatches[template];
          const refill = target === undefined ? await emptyDeals(shop) : () => undefined;
          const answer = await pay(target ?? path);
          refill();
          assert.equal(answer.status, 404, 'say in test/support/nothing-matches.ts what this operation does not have');
          assert.equal(answer.problem?.payment, 'not_settled');
        }),
      );

      itMoves('409: the same payment is on its way; it is charged once', async () => {
        const before = await takings(shop);
        const { release, held } = holdSettlements(shop);
        const first = pay();
        await held;
        assertRefused(await pay(), 409, 'payment_in_progress');
        assert.deepEqual(await takings(shop), before, 'nothing is charged yet');
        release();
        assertPaid(await first);
        assert.equal((await takings(shop)).payTo, before.payTo + price);
      });

      itMoves("409: the buyer's identifier stands for another payment", async () => {
        const id = `pay_${randomUUID()}`;
        assertPaid(await pay(path, withId(await shop.sign(path), id)));
        await assertUnbilled(async () =>
          assertRefused(await pay(path, withId(header, id)), 409, 'payment_id_conflict'),
        );
      });

      itMoves('429: too many calls at once', async () => {
        const { release, held } = holdSettlements(shop, atOnce);
        const others = await Promise.all(Array.from({ length: atOnce }, () => shop.sign(path)));
        const running = others.map((each) => pay(path, each));
        await held;
        const before = await takings(shop);
        assertRefused(await pay(), 429, 'rate_limited');
        assert.deepEqual(await takings(shop), before);
        release();
        for (const answer of await Promise.all(running)) assertPaid(answer);
        assert.equal(await shop.rowOf(header), undefined);
        await assertUnbilled(async () => undefined);
      });

      itMoves('500: the operation fails', () =>
        assertUnbilled(async () => {
          const repair = breakFeeds(shop);
          const answer = await pay();
          repair();
          assertRefused(answer, 500, 'internal_error');
        }),
      );

      // Whoever wants a lead for himself is told that others are faster.
      const [status, reason] =
        operationId === 'buyExclusiveLead'
          ? ([404, 'no_exclusive_lead_available'] as const)
          : ([503, 'temporarily_unavailable'] as const);
      itMoves(`${status}: what is sold changes each time before it is paid`, () =>
        assertUnbilled(async () => {
          shop.faults.ledger.claim = async () => ({ kind: 'stale' });
          assertRefused(await pay(), status, reason);
        }),
      );

      itMoves('503: the chain cannot be asked', () =>
        assertUnbilled(async () => {
          shop.faults.settler.verify = away;
          assert.equal((await pay()).status, 503);
        }),
      );

      itMoves('503: nobody knows what became of the settlement, and it became nothing', () =>
        assertUnbilled(async () => {
          shop.faults.settler.settle = away;
          assertRefused(await pay(), 503, 'settlement_unknown');
        }),
      );
    });
  }
});

/** What buyer and seller have on the chain, and what the ledger says that was settled; atomic units. */
async function takings({ chain, app }: Shop): Promise<{ buyer: bigint; payTo: bigint; settled: bigint }> {
  const [row] = await app.database
    .knex('payments')
    .where({ state: 'settled' })
    .sum<{ settled: string | null }[]>({ settled: 'amount' });
  return {
    buyer: await chain.balanceOf(chain.buyer.address),
    payTo: await chain.balanceOf(chain.payTo.address),
    settled: BigInt(row?.settled ?? 0),
  };
}

/** Holds settlements until they are released; `held` resolves when so many have come. */
function holdSettlements(shop: Shop, count = 1): { release: () => void; held: Promise<void> } {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let come = 0;
  const held = new Promise<void>((resolve) => {
    shop.faults.settler.settle = async (authorization, attempt) => {
      if (++come === count) resolve();
      await released;
      return shop.real.settler.settle(authorization, attempt);
    };
  });
  return { release, held };
}

/** Takes every deal out of the feed; what comes back puts them in again. */
async function emptyDeals({ app }: Shop): Promise<() => void> {
  const { deals: feed } = app.feeds;
  const full = feed.current();
  // Another version, so that no page of before is remembered for it.
  const parts = {
    version: full.version + 1_000_000,
    publishedAt: full.publishedAt,
    records: createEmptyRecords<DealRank, DealColumns>(dealKind),
  };
  feed.replace(await createSnapshot(dealKind, parts, async () => undefined));
  return () => feed.replace(full);
}

/** Lets every feed fail at whatever it is asked; what comes back repairs them. */
function breakFeeds({ app }: Shop): () => void {
  const broken = (): never => {
    throw new Error('a bug');
  };
  const feeds = Object.values(app.feeds).map((feed) => {
    const { current, page, first, excludedKey } = feed;
    return { feed, current, page, first, excludedKey };
  });
  for (const { feed } of feeds)
    Object.assign(feed, { current: broken, page: broken, first: broken, excludedKey: broken });
  const { head } = app.events.deals;
  Object.assign(app.events.deals, { head: broken });
  return () => {
    Object.assign(app.events.deals, { head });
    for (const { feed, ...whole } of feeds) Object.assign(feed, whole);
  };
}
