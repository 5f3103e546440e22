import assert from 'node:assert/strict';
import { sliceOf } from '../support/depth.js';
import { badAnswerKinds, badAnswerOf, isAnswerTo, type BadAnswer } from './bad-answers.js';
import { sign } from './buyer.js';
import { send } from './exchange.js';
import { faultKinds } from './faults.js';
import { runHistory } from './history.js';
import type { World } from './world.js';

/** A chain and its node. */
export type Surroundings = Pick<World, 'hasSync' | 'confirmations'> & { readonly blockMs: number };

/** What a buyer got, and how long it waited for it, in milliseconds of the model's clock. */
export interface Waited {
  readonly buyer: number;
  readonly status: number | undefined;
  readonly ms: number;
}

type BuyAfter = (delayMs: number, buyer: number) => void;

const without = new Set(faultKinds);
const lineMs = 1;
/** When the first buyer comes. */
const firstMs = 10_000;
/** No limit of a node's answer is longer. */
const silentMs = 10_000;

/**
 * What newcomers wait for whom `come` begins, at one instance that settles itself, with an empty ledger. Of the calls
 * of the node since the first of them came, `answersBadly` says which are answered badly, and how.
 */
export async function waitsOf(
  { blockMs, ...surroundings }: Surroundings,
  come: (buyAfter: BuyAfter) => void,
  answersBadly: (method: string, buyAfter: BuyAfter) => BadAnswer | undefined = () => undefined,
): Promise<readonly Waited[]> {
  const waited: Waited[] = [];
  let [hasCome, world]: [boolean, World | undefined] = [false, undefined];

  function buyAfter(delayMs: number, buyer: number): void {
    const of = world ?? assert.fail();
    of.scheduler.after(delayMs, () => {
      hasCome = true;
      const wanted = { operationId: 'listDeals', query: 'state=OH' };
      const purchase = sign(of, buyer, wanted, buyer);
      of.chain.addBalance(purchase.authorization.from, purchase.authorization.value);
      const exchange = send(
        of,
        of.instances[0] ?? assert.fail(),
        { purchase, header: purchase.header, wanted },
        (seen) =>
          waited.push({ buyer, status: seen?.status, ms: (exchange.repliedAtMs ?? Infinity) - exchange.arrivedAtMs }),
      );
    });
  }

  const violation = await runHistory({
    ...{ seed: 1, blockMs, without },
    scene: {
      world: {
        ...{ ...surroundings, settlesBy: 'itself', isEmbedded: true, lineMs },
        answersBadly: (method) => (hasCome ? answersBadly(method, buyAfter) : undefined),
      },
      come(of) {
        world = of;
        of.chain.pool.faults.passage = () => ({ afterMs: 0, dropped: false });
        come((delayMs, buyer) => buyAfter(firstMs + delayMs, buyer));
      },
    },
  });
  if (violation !== undefined) throw violation;
  return waited;
}

/**
 * What a second buyer waits who comes right after each bad answer that the first may meet, at each of its calls; in an
 * ordinary test run after some of them.
 */
export async function waitsAfterBadAnswers(surroundings: Surroundings) {
  const methods: string[] = [];
  const comeFirst = (buyAfter: BuyAfter) => buyAfter(0, 1);
  await waitsOf(surroundings, comeFirst, (method) => void methods.push(method));
  const all = methods.flatMap((method, step) =>
    badAnswerKinds
      .filter((kind) => isAnswerTo(method, kind))
      .flatMap((kind) =>
        [true, false].map((reaches) => ({ step, method, bad: badAnswerOf(kind, () => reaches), reaches })),
      )
      .filter(({ bad, reaches }) => bad.reaches === reaches),
  );
  const waits: { readonly name: string; readonly next: Waited | undefined }[] = [];
  for (const { step, method, bad } of sliceOf(all, 12)) {
    let calls = 0;
    // What stands before a node without Sync may have given it the transaction by the ordinary method.
    const by = bad.by ?? (method.endsWith('Sync') && !surroundings.hasSync ? 'eth_sendRawTransaction' : undefined);
    const waited = await waitsOf(surroundings, comeFirst, (_, buyAfter) => {
      if (calls++ !== step) return undefined;
      buyAfter(bad.kind === 'no answer in time' ? silentMs : 2 * lineMs + 1, 2);
      return { ...bad, by };
    });
    const name = `${bad.kind} to call ${step + 1}, ${method}${bad.reaches ? ', which reaches the node' : ''}`;
    waits.push({ name, next: waited.find(({ buyer }) => buyer === 2) });
  }
  return waits;
}
