import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { openTestInstances, type TestInstances } from '../../support/database.js';
import { findFaults, readSales, type Sale } from './audit-holds.js';
import { createLeadMarket, type Buyer, type LeadMarket } from './lead-market.js';
import { exclusiveMs, leadFeed } from './lead-seller.js';
import { deep } from '../../support/depth.js';

const seed = 20261122;
const startMs = Date.parse('2026-03-08T12:00:00.000Z');
const rounds = deep(20, 2);
/** Which moments are met depends on what runs first: where some were not, there are further rounds. */
const mostRounds = 2 * rounds;
const leadIds = Array.from({ length: 200 }, () => randomUUID());
const buyersAtOnce = 60;
const wavesBeforeCalm = 3;
/** Before and after each of thirteen calls. */
const moments = 26;

describe(`${rounds * leadIds.length} exclusive sales at least, with failures and crashes between them`, function () {
  this.timeout(600_000);
  let instances: TestInstances;
  let market: LeadMarket;
  let sales: readonly Sale[] = [];
  let soldRounds = 0;

  before(async () => {
    instances = await openTestInstances(3);
    const knexes = instances.databases.map(({ knex }) => knex);
    const published = { feed: leadFeed.name, version: leadFeed.version, published_at: new Date(startMs) };
    await knexes[0]?.('feed_versions').insert(published);
    market = createLeadMarket(knexes, leadIds, startMs, seed);
    await market.advance(0);
  });
  after(async () => {
    await market.stop();
    await instances.close();
  });

  const look = async (since: Date): Promise<void> => {
    const [first] = instances.databases;
    assert.ok(first);
    sales = await readSales(first.knex, since);
    assert.deepEqual(findFaults(sales), []);
    assert.deepEqual(market.complaints, []);
  };
  const settled = () => sales.filter(({ state }) => state === 'settled');

  it('sell each lead once in each round, and every lead in every round', async () => {
    while (soldRounds < rounds || (!wereSparedNothing() && soldRounds < mostRounds)) {
      const begin = market.now();
      for (sales = []; settled().length < leadIds.length;) {
        for (let wave = 0; wave < wavesBeforeCalm; wave++) {
          await market.wave(buyersAtOnce);
          await look(begin);
        }
        await market.settleDown();
        await look(begin);
        const open = sales.filter(({ state }) => state === 'claimed');
        assert.deepEqual(open, []);
      }
      assert.equal(settled().length, leadIds.length);
      await market.advance(exclusiveMs);
      soldRounds++;
    }
    await look(new Date(startMs));
    assert.equal(settled().length, soldRounds * leadIds.length);
  });

  it('are what the chain was paid for, no more and no less', () => {
    assert.deepEqual(new Set(settled().map(({ nonce }) => nonce)), new Set(market.chain.transfers.keys()));
  });

  it('give every buyer who paid the lead that is held for it, also after it was sold anew', async () => {
    const paid = [...market.buyers.values()].filter(isPaid);
    await market.revisit(paid);
    assert.deepEqual(market.complaints, []);
    const leads = new Map(settled().map(({ nonce, leadId, heldUntil }) => [nonce, { leadId, heldUntil }]));
    for (const { purchase, text } of paid) {
      const { leadId, heldUntil } = leads.get(purchase.authorization.nonce) ?? {};
      assert.equal(text, JSON.stringify({ lead: leadId, exclusive_until: heldUntil?.toISOString() }), purchase.name);
    }
  });

  it('were spared nothing: each outcome of a settlement, and a crash before and after each call', () => {
    assert.ok(wereSparedNothing(), JSON.stringify([[...market.chain.met], [...market.deaths]]));
  });

  function wereSparedNothing(): boolean {
    const { met } = market.chain;
    const isMet = met.size === 6 && Math.min(...met.values()) > deep(100, 10);
    return isMet && market.deaths.size >= deep(moments, moments - 5);
  }

  function isPaid({ purchase }: Buyer): boolean {
    return market.chain.transfers.has(purchase.authorization.nonce);
  }
});
