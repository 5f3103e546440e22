import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PublishReport } from '../../src/feeds/publish.js';
import type { PublishLeadsInput } from '../../src/publishing/publish-leads.js';
import { publishWithLeads } from '../../src/publishing/publish-with-leads.js';

type DealLeads = PublishLeadsInput['dealLeads'];

const report = (version: number): PublishReport => ({ version, active: 0, changed: 0, retired: 0, refused: 0 });
const leadOf = (id: string) => [{ id, item: { id, breach: '' } }];

describe('deals and leads that are published together', () => {
  it('hand each lead over in its order, while its deal is published, and the rest afterwards', async () => {
    const seen: string[] = [];
    async function publishLeads(dealLeads: DealLeads, isAlone: () => boolean) {
      for await (const [lead] of dealLeads) seen.push(`${lead?.id} ${isAlone()}`);
      seen.push(`rest ${isAlone()}`);
      return report(2);
    }
    const published = await publishWithLeads(async (offer) => {
      for (const id of ['1', '2', '3', '4', '5', '6']) await offer(leadOf(id));
      return report(1);
    }, publishLeads);
    assert.deepEqual(published, { deals: report(1), leads: report(2) });
    assert.deepEqual(seen.slice(0, 2), ['1 false', '2 false']);
    assert.deepEqual(
      seen.map((each) => each.split(' ')[0]),
      ['1', '2', '3', '4', '5', '6', 'rest'],
    );
    assert.equal(seen.at(-1), 'rest true');
  });

  it('prepare no more deals than leads are taken of, but for a few', async () => {
    let offered = 0;
    let mayRead: () => void = assert.fail;
    const readable = new Promise<void>((resolve) => (mayRead = resolve));
    const publishing = publishWithLeads(
      async (offer) => {
        for (; offered < 100; offered++) await offer(leadOf(String(offered)));
        return report(1);
      },
      async (dealLeads) => {
        await readable;
        for await (const chunk of dealLeads) void chunk;
        return report(2);
      },
    );
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    assert.ok(offered < 5, `${offered} were offered`);
    mayRead();
    await publishing;
    assert.equal(offered, 100);
  });

  it('publish no leads where the deals fail, also where nobody has asked for any yet', async () => {
    for (const waits of [false, true]) {
      const broken = new Error('no deals today');
      const ends: unknown[] = [];
      async function publishLeads(dealLeads: DealLeads) {
        try {
          if (waits) for (let turn = 0; turn < 5; turn++) await nextTurn();
          for await (const chunk of dealLeads) void chunk;
          return report(2);
        } catch (error) {
          ends.push(error);
          throw error;
        }
      }
      const failing = publishWithLeads(async (offer) => {
        await offer(leadOf('1'));
        throw broken;
      }, publishLeads);
      await assert.rejects(failing, broken);
      assert.deepEqual(ends, [broken]);
    }
  });

  it('publish the deals where the leads fail, whenever they do, and throw what they failed with', async () => {
    const broken = new Error('no leads today');
    async function failOnTheWay(dealLeads: DealLeads) {
      for await (const [lead] of dealLeads) if (lead?.id === '3') throw broken;
      return report(2);
    }
    for (const publishLeads of [failOnTheWay, () => Promise.reject(broken)]) {
      let offered = 0;
      const failing = publishWithLeads(async (offer) => {
        for (; offered < 10; offered++) await offer(leadOf(String(offered)));
        return report(1);
      }, publishLeads);
      await assert.rejects(failing, broken);
      assert.equal(offered, 10);
    }
  });
});
