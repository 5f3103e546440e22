import type { Authorization } from '../../src/payments/chain/eip3009.js';
import type { Relayed } from '../../src/payments/settlement/relayer/nonce-book.js';
import type { SettlementWindow } from '../../src/payments/settlement/relayer/settlement-window.js';
import { receiptOf } from './chain-logs.js';
import type { Passage } from './model-chain.js';
import { nodeLine, type Wire } from './wire.js';
import type { World } from './world.js';

const pausesMs = [150, 500, 2_000, 6_000, 20_000];

/**
 * Replaces the relayer and its settlement window, which have their own tests. It keeps their guarantees (refused only
 * when nothing was sent, mined only with a receipt) on a model chain.
 */
export function createModelWindow(world: World, wire: Wire): SettlementWindow {
  const { chain, faults } = world;

  async function relay(authorization: Authorization, fails: boolean): Promise<Relayed> {
    if (faults.happens('nothing could be sent')) return { outcome: 'refused', detail: 'the node does not answer' };
    const submit = () => chain.submit(authorization, 'us', { ...passageOf(world), fails });
    const submission = await wire.call('send', nodeLine, submit, authorization).catch(() => undefined);
    if (submission === undefined || faults.happens('settlement answer lost')) return unproven;
    for (const pauseMs of pausesMs) {
      await wire.sleep(pauseMs);
      const receipt = receiptOf(chain, submission.transaction);
      if (receipt !== undefined) return { outcome: 'mined', receipt };
    }
    return unproven;
  }

  return {
    async send({ authorization }) {
      const fails = faults.happens('transfer failed among others');
      return { relayed: await relay(authorization, fails), items: fails ? 2 : 1 };
    },
    sendAlone: async ({ authorization }) => ({ relayed: await relay(authorization, false), items: 1 }),
    close: () => undefined,
  };
}

const unproven: Relayed = { outcome: 'unknown', detail: 'there is no receipt yet' };

/** The fate of a transaction sent now. */
export function passageOf({ faults, random }: World): Passage {
  const dropped = faults.happens('transaction dropped');
  const stuck = !dropped && faults.happens('transaction stuck');
  return { dropped, afterMs: stuck ? random('pool').between(20_000, 250_000) : random('pool').between(50, 4_000) };
}
